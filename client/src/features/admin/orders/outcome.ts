import { type Settled, settled } from '~/graphql/settled';
import { toast } from '~/ui/toast';

interface Answer {
  __typename: string;
  message?: string;
}

/** What was refused of an action, in words; undefined when it was done. */
export function refusalOf(answer: Answer | undefined, said: string | undefined, otherwise: string): string | undefined {
  if (!answer) return said ?? otherwise;
  return 'message' in answer ? (answer.message ?? otherwise) : undefined;
}

/** Waits for an action, says aloud that it is done, and returns why it is not. */
export async function done<Data>(
  sent: Promise<{ data?: Data | null | undefined }>,
  answer: (data: Data) => Answer,
  words: { done: string; otherwise: string },
): Promise<string | undefined> {
  const { data, said }: Settled<Data> = await settled(sent);
  const refusal = refusalOf(data && answer(data), said, words.otherwise);
  if (!refusal) toast.success(words.done);
  return refusal;
}

/** A name for one press of a button: sent twice, it is done once. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}
