import { valibotResolver } from '@hookform/resolvers/valibot';
import { type SubmitEvent, useState } from 'react';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  // oxlint-disable-next-line no-restricted-imports -- The one place that binds a form to an operation.
  useForm,
  type UseFormProps,
  type UseFormReturn,
} from 'react-hook-form';
import type { GenericSchema } from 'valibot';
import { toast } from '~/ui/toast';
import { toResult } from './settled';
import { useOnce } from './use-once';

interface Sent {
  data?: object | null | undefined;
}

/** What the one field of a mutation answers. */
type AnswerOf<One extends Sent> = One extends { data?: infer Data }
  ? NonNullable<Data>[keyof NonNullable<Data>]
  : never;

/** What was wrong of it: rules by field, or one sentence. */
interface Refusal {
  __typename?: string;
  message?: string | undefined;
  field?: string | null;
  errors?: readonly { field: string; message: string }[];
  /** What has changed since it was read, in sentences. */
  changes?: readonly string[];
}

/** The answer to a form that is refused before it is sent. */
export const refusalOf = (message: string | undefined, field: string | null = null) => ({
  data: { refused: { __typename: 'Refused' as const, message, field } },
});

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
  /** Fields of the answer that have another name in the form; those of the form as a whole are its `root`. */
  fields?: Readonly<Record<string, FieldPath<Typed> | 'root'>>;
  /** Each refusal of the server is a toast as well. */
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
  const { isSending, once } = useOnce();
  const [changes, setChanges] = useState<readonly string[]>([]);

  const errorOf = (name: FieldPath<Typed>) => getFieldState(name, formState).error?.message;

  function refuse({ __typename, errors = [], field, message }: Refusal, names: typeof fields = fields) {
    const broken = errors.length > 0 ? errors : [{ field: field ?? 'root', message: message ?? otherwise }];
    const placed = broken.map((one) => {
      const name = names[one.field] ?? one.field;
      return { name: name in getValues() ? (name as FieldPath<Typed>) : null, message: one.message };
    });
    for (const { name, message: words } of placed) if (name) setError(name, { message: words });
    const others = placed.filter(({ name }) => !name).map(({ message: words }) => words);
    if (others.length > 0) setError('root', { message: others.join(' ') });
    if (loud && __typename !== 'Refused') for (const { message: words } of broken) toast.error(words);
    const [first] = placed;
    if (first?.name) form.setFocus(first.name);
  }

  async function deliver(sent: Promise<Sent>, names = fields) {
    const { data, message } = await toResult<NonNullable<One['data']>>(sent as never);
    const [answer] = Object.values(data ?? {}) as ({ __typename: string } & Refusal)[];
    setChanges(answer?.changes ?? []);
    if (!([done].flat() as string[]).includes(answer?.__typename ?? ''))
      return refuse(answer ?? { message: message ?? otherwise }, names);
    if (success) toast.success(success);
    await onDone(answer as Extract<AnswerOf<One>, { __typename: Done }>, form);
  }

  const sendTyped = (instead?: Partial<Ready>) =>
    once(form.handleSubmit((ready) => deliver(send({ ...ready, ...instead }))));

  return {
    ...form,
    refusal: formState.errors.root?.message,
    /** Why it was refused, where what it is about has changed since it was read. */
    changes,
    /** Forgets why it was refused; what was typed stays. */
    clearRefusal: () => {
      setChanges([]);
      form.clearErrors('root');
    },
    isSending,
    errorOf,
    /** A field's `register(…)` and what is wrong with it. */
    field: (name: FieldPath<Typed>) => ({ ...register(name), error: errorOf(name) }),
    /** Sends it with some of what is sent replaced, for a second way to end the form. */
    sendWith: (instead: Partial<Ready>) => void sendTyped(instead),
    /** Sends something that was not typed, such as a passkey. Whatever is wrong with it is the `refusal`. */
    sendOther: (other: () => Promise<One>) => once(() => deliver(other(), {})),
    /** Refuses it as a whole before it is sent. */
    refuse: (message: string) => setError('root', { message }),
    onSubmit: (event: SubmitEvent<HTMLFormElement>) => {
      event.preventDefault();
      void sendTyped();
    },
  };
}
