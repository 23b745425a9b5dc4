import { useEffect, useRef, useState } from 'react';
import { type OperationResult, toResult } from '~/graphql/settled';
import { variableError } from '~/graphql/variable-error';
import { useOnce } from '~/graphql/use-once';
import { toast } from '~/ui/toast';
import { placeErrors } from './product-fields';
import type { ProductForm } from './use-product-draft';

/** A product's mutation as far as it was refused. */
interface Refusal {
  __typename: string;
  message?: string;
  errors?: readonly { field: string; message: string }[];
}

/**
 * Sends a product's form, once however often it is pressed, when nothing is wrong with it and its pictures are
 * uploaded. `accept` takes the answer, or returns it when it is a refusal.
 */
export function useSubmit(form: ProductForm, failed: string) {
  const element = useRef<HTMLFormElement>(null);
  const { isSending, once } = useOnce();
  const [refusal, setRefusal] = useState<string>();
  const [refusals, setRefusals] = useState(0);

  useEffect(() => {
    if (refusals > 0) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusals]);

  function refuse(answer: Refusal | undefined, message: string | undefined) {
    const { problems, rest } = placeErrors(answer?.errors ?? []);
    const isPlaced = Object.keys(problems).length > 0;
    form.refuse(problems);
    setRefusal(rest || (isPlaced ? undefined : (answer?.message ?? message ?? failed)));
    setRefusals((count) => count + 1);
    toast.error(answer?.message ?? message ?? failed);
  }

  async function sendChecked<Data>(
    mutate: () => Promise<{ data?: Data | null | undefined }>,
    accept: (data: Data) => Refusal | undefined,
  ) {
    if (!form.check()) return setRefusals((count) => count + 1);
    await form.uploads.finished();
    if (!form.check()) return;
    const { data, message, error }: OperationResult<Data> = await toResult(mutate());
    const variable = variableError(error);
    const unread = variable && { __typename: 'InvalidInput', message: variable.message, errors: [variable] };
    const refused = data ? accept(data) : unread;
    if (refused || !data) refuse(refused, message);
  }

  function submit<Data>(...work: Parameters<typeof sendChecked<Data>>) {
    return once(async () => {
      setRefusal(undefined);
      await sendChecked(...work);
    });
  }

  return { element, isSending, refusal, submit };
}
