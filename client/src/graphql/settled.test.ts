import { CombinedGraphQLErrors } from '@apollo/client/errors';
import { expect, test } from 'vitest';
import { serverWords } from './settled';
import { variableError } from './variable-error';

const refusedWith = (code: string, message: string) =>
  new CombinedGraphQLErrors({ errors: [{ message, extensions: { code } }] });

test.each(['INTERNAL', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'GRAPHQL_VARIABLES_INVALID'])(
  'what the server says with %s is not for users',
  (code) => {
    expect(serverWords(refusedWith(code, 'Cannot query field "a" on type "B".'))).toBeUndefined();
  },
);

test('every other refusal is shown in its words', () => {
  expect(serverWords(refusedWith('CONFLICT', 'This has changed in the meantime.'))).toBe(
    'This has changed in the meantime.',
  );
});

test('what is said about a variable names its field', () => {
  const refused = refusedWith('GRAPHQL_VARIABLES_INVALID', "Variable '$input' has invalid value at .price: Not money.");

  expect(variableError(refused)).toEqual({ field: 'price', message: 'Not money.' });
});
