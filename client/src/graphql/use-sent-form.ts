import { valibotResolver } from '@hookform/resolvers/valibot';
import { type SubmitEvent, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  useForm,
  type UseFormProps,
  type UseFormReturn,
} from 'react-hook-form';
import type { GenericSchema } from 'valibot';
import { toast } from '~/ui/toast';
import { settled } from './settled';

interface Sent {
  data?: object | null | undefined;
}

/** What the one field of a mutation answers. */
type AnswerOf<One extends Sent> = One extends { data?: infer Data }
  ? NonNullable<Data>[keyof NonNullable<Data>]
  : never;

/** What was wrong of it: rules by field, or one sentence. */
interface Refusal {
  message?: string;
  field?: string | null;
  errors?: readonly { field: string; message: string }[];
  /** What has changed since it was read, in sentences. */
  changes?: readonly string[];
}

interface SentForm<Typed extends FieldValues, Ready, One extends Sent, Done extends string> {
  /** What can be sent at all, and as what. */
  rules: GenericSchema<Typed, Ready>;
  defaultValues: DefaultValues<Typed>;
  /** Runs the mutation, which has one field. */
  send: (ready: Ready) => Promise<One>;
  /** The type that the field has when it was done; or several. */
  done: Done | readonly Done[];
  onDone: (answer: Extract<AnswerOf<One>, { __typename: Done }>, form: UseFormReturn<Typed, unknown, Ready>) => unknown;
  /** Said aloud when it was done. */
  success?: string;
  /** Said when it was not, and the server has no words for it. */
  otherwise: string;
  /** Fields of the answer that have another name in the form. */
  fields?: Readonly<Record<string, FieldPath<Typed>>>;
  /** A refusal is said aloud as well. */
  loud?: boolean;
  /** When rules are looked at, and what the form begins with if not with its defaults. */
  options?: Pick<UseFormProps<Typed, unknown, Ready>, 'values' | 'resetOptions' | 'reValidateMode' | 'criteriaMode'>;
}

/**
 * A form that sends one operation, most often a mutation. Broken rules stand at their fields, whether they are found here or by the server;
 * whatever belongs to no field is the `refusal`. It is sent once however often it is pressed, and keeps what was typed.
 */
export function useSentForm<Typed extends FieldValues, Ready, One extends Sent, const Done extends string>({
  rules,
  defaultValues,
  send,
  done,
  onDone,
  success,
  otherwise,
  fields = {},
  loud = false,
  options,
}: SentForm<Typed, Ready, One, Done>) {
  const form = useForm<Typed, unknown, Ready>({ ...options, resolver: valibotResolver(rules), defaultValues });
  const { formState, getFieldState, getValues, register, setError } = form;
  const { errors, isSubmitting } = formState;
  const busy = useRef(false);
  const [changes, setChanges] = useState<readonly string[]>([]);

  const errorOf = (name: FieldPath<Typed>) => getFieldState(name, formState).error?.message;

  function refuse({ errors: broken = [], field, message }: Refusal) {
    const found = broken.length > 0 ? broken : [{ field: field ?? 'root', message: message ?? otherwise }];
    const placed = found.map((one) => {
      const name = fields[one.field] ?? one.field;
      return { name: name in getValues() ? (name as FieldPath<Typed>) : null, message: one.message };
    });
    for (const { name, message: words } of placed) if (name) setError(name, { message: words });
    const others = placed.filter(({ name }) => !name).map(({ message: words }) => words);
    if (others.length > 0) setError('root', { message: others.join(' ') });
    if (loud) toast.error(message ?? otherwise);
    const [first] = placed;
    if (first?.name) form.setFocus(first.name);
  }

  async function deliver(ready: Ready) {
    const { data, said } = await settled<NonNullable<One['data']>>(send(ready) as never);
    const [answer] = Object.values(data ?? {}) as ({ __typename: string } & Refusal)[];
    setChanges(answer?.changes ?? []);
    if (!([done].flat() as string[]).includes(answer?.__typename ?? ''))
      return refuse(answer ?? { message: said ?? otherwise });
    if (success) toast.success(success);
    await onDone(answer as Extract<AnswerOf<One>, { __typename: Done }>, form);
  }

  async function sendOnce(instead?: Partial<Ready>) {
    if (busy.current) return;
    busy.current = true;
    try {
      await form.handleSubmit((ready) => deliver({ ...ready, ...instead }))();
    } finally {
      busy.current = false;
    }
  }

  return {
    ...form,
    refusal: errors.root?.message,
    /** Why it was refused, where what it is about has changed since it was read. */
    changes,
    /** Forgets why it was refused; what was typed stays. */
    clearRefusal: () => {
      setChanges([]);
      form.clearErrors('root');
    },
    isSending: isSubmitting,
    errorOf,
    /** A field's `register(…)` and what is wrong with it. */
    field: (name: FieldPath<Typed>) => ({ ...register(name), error: errorOf(name) }),
    /** Sends it with some of what is sent replaced, for a second way to end the form. */
    sendWith: (instead: Partial<Ready>) => void sendOnce(instead),
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      void sendOnce();
    },
  };
}
