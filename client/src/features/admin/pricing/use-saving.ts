import { useState } from 'react';
import { settled } from '~/graphql/settled';
import { texts } from './texts';

interface Refused {
  __typename: 'InvalidInput';
  errors: readonly { field: string; message: string }[];
}

/** Sends a form: broken rules come back by field, anything else as one sentence. */
export function useSaving() {
  const [problems, setProblems] = useState<Record<string, string>>({});
  const [refusal, setRefusal] = useState<string | null>(null);
  const [saving, setSaving] = useState(false);

  /** What was saved; null when it was not. */
  async function save<Data, Saved extends { __typename: string }>(
    sent: Promise<{ data?: Data | null | undefined }>,
    pick: (data: Data) => Saved | Refused,
  ): Promise<Exclude<Saved, Refused> | null> {
    setProblems({});
    setRefusal(null);
    setSaving(true);
    const { data, said } = await settled(sent);
    setSaving(false);
    const result = data && pick(data);
    if (result && result.__typename === 'InvalidInput') {
      setProblems(Object.fromEntries((result as Refused).errors.map(({ field, message }) => [field, message])));
      return null;
    }
    if (!result) setRefusal(said ?? texts.notSaved);
    return (result as Exclude<Saved, Refused> | undefined) ?? null;
  }

  return { problems, refusal, saving, save };
}
