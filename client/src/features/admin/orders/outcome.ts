import { type OperationResult, toResult } from '~/graphql/settled';
import { toast } from '~/ui/toast';

interface Answer {
  __typename: string;
  message?: string;
  changes?: readonly string[];
}

/** Why an action was not done, and what has changed of the order meanwhile where that is why. */
export interface Refusal {
  message: string;
  changes: readonly string[];
}

/** Waits for an action, says aloud that it is done, and returns why it is not. */
export async function done<Data>(
  sent: Promise<{ data?: Data | null | undefined }>,
  answer: (data: Data) => Answer,
  words: { done: string; otherwise: string },
): Promise<Refusal | undefined> {
  const { data, message: failure }: OperationResult<Data> = await toResult(sent);
  const { message, changes = [] } = data ? answer(data) : { message: failure ?? words.otherwise };
  if (data && message === undefined) toast.success(words.done);
  return message === undefined ? undefined : { message, changes };
}

/** A name for one press of a button: sent twice, it is done once. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}
