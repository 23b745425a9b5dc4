import { CombinedGraphQLErrors } from '@apollo/client/errors';

const VARIABLE_ERROR = /^Variable '\$\w+' has invalid value at \.([\w.[\]]+): (.+)$/s;

/** What the server says about a variable that it could not read, by its field; undefined for every other error. */
export function variableError(error: unknown): { field: string; message: string } | undefined {
  if (!CombinedGraphQLErrors.is(error)) return undefined;
  const [, field, message] = VARIABLE_ERROR.exec(error.errors[0]?.message ?? '') ?? [];
  return field && message ? { field, message } : undefined;
}
