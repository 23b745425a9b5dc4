import { CombinedGraphQLErrors, ServerError } from '@apollo/client/errors';

interface Refusal {
  message?: string;
  extensions?: Record<string, unknown>;
}

/** Internal errors and those about the document have no message for users; every other refusal has one. */
const isForUsers = (code: unknown) => typeof code === 'string' && code !== 'INTERNAL' && !code.startsWith('GRAPHQL_');

function words(refusals: readonly Refusal[]): string | undefined {
  return refusals.find(({ extensions }) => isForUsers(extensions?.['code']))?.message;
}

function wordsOfBody(body: string): string | undefined {
  try {
    const { message, errors } = JSON.parse(body) as Refusal & { errors?: Refusal[] };
    return message ?? words(errors ?? []);
  } catch {
    return undefined;
  }
}

/** The server's message for the user when it refused a whole request; undefined without one or without a response. */
export function serverWords(error: unknown): string | undefined {
  if (CombinedGraphQLErrors.is(error)) return words(error.errors);
  return ServerError.is(error) ? wordsOfBody(error.bodyText) : undefined;
}

/** The code of the first error that the server answered with, such as NOT_FOUND. */
export function errorCode(error: unknown): string | undefined {
  const code = CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions?.['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

export interface OperationResult<Data> {
  data?: Data | undefined;
  /** The server's message when there is no data. */
  message?: string | undefined;
  error?: unknown;
}

/** Awaits an operation without throwing: its data, or the error with the server's message. */
export async function toResult<Data>(
  sent: Promise<{ data?: Data | null | undefined }>,
): Promise<OperationResult<Data>> {
  try {
    return { data: (await sent).data ?? undefined };
  } catch (error) {
    return { error, message: serverWords(error) };
  }
}
