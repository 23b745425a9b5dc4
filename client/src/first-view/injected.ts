import type { ApolloClient, DocumentNode, OperationVariables } from '@apollo/client';
import { print } from 'graphql';
import { nameOf } from '~/graphql/operation';

export interface Answer {
  operation: string;
  variables: OperationVariables;
  data: unknown;
}

export interface Question {
  operation: string;
  variables: OperationVariables;
  query: string;
}

let answers: readonly Answer[] = [];
let questions = new Map<string, Question>();

/** Begins a page: what is known already, and nothing asked yet. */
export function begin(known: readonly Answer[]): void {
  answers = known;
  questions = new Map();
}

/** The operations that the page requested without having their data. */
export const asked = (): Question[] => [...questions.values()];

/** The server needs no document before a screen asks it. */
export function registerDocument(_query: DocumentNode): void {}

/** Takes the place of the browser's: gives the screen an answer that is there, and notes the question that has none. */
export function writeInjected(client: ApolloClient, query: DocumentNode, options: unknown): void {
  if (typeof options === 'symbol') return;
  const operation = nameOf(query);
  const variables = (options as { variables?: OperationVariables } | undefined)?.variables ?? {};
  const wanted = JSON.stringify(variables);
  const known = answers.find((answer) => answer.operation === operation && JSON.stringify(answer.variables) === wanted);
  if (known) client.cache.writeQuery({ query, variables, data: known.data, broadcast: false });
  else {
    const sent = print(client.cache.transformDocument(query));
    questions.set(operation + wanted, { operation, variables, query: sent });
  }
}
