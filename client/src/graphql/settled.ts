import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';

interface Refusal {
  message?: string;
  extensions?: Record<string, unknown>;
}

/** A fault of ours has words for nobody; every other refusal is meant to be read. */
function words(refusals: readonly Refusal[]): string | undefined {
  return refusals.find(({ extensions }) => extensions?.['code'] && extensions['code'] !== 'INTERNAL')?.message;
}

function wordsOfBody(body: string): string | undefined {
  try {
    const { message, errors } = JSON.parse(body) as Refusal & { errors?: Refusal[] };
    return message ?? words(errors ?? []);
  } catch {
    return undefined;
  }
}

/** What the server said to the person when it refused a whole request; undefined when it said nothing or was not reached. */
export function serverWords(error: unknown): string | undefined {
  if (CombinedGraphQLErrors.is(error)) return words(error.errors);
  return ServerError.is(error) ? wordsOfBody(error.bodyText) : undefined;
}

/** The code of the first error that the server answered with, such as NOT_FOUND. */
export function errorCode(error: unknown): string | undefined {
  const code = CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

export interface Settled<Data> {
  data?: Data | undefined;
  /** The server's words when there is no data. */
  said?: string | undefined;
  error?: unknown;
}

/** Waits for a mutation without throwing: what it answered, or what the server said instead. */
export async function settled<Data>(sent: Promise<{ data?: Data | null | undefined }>): Promise<Settled<Data>> {
  try {
    return { data: (await sent).data ?? undefined };
  } catch (error) {
    return { error, said: serverWords(error) };
  }
}
