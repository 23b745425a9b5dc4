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
export function begin(rendered: readonly Answer[]): void {
  answers = rendered;
  questions = new Map();
}

/** The operations that the page requested without having their data. */
export const openQuestions = (): Question[] => [...questions.values()];

/** The server needs no document before a screen asks it. */
export function registerDocument(_query: DocumentNode): void {}

/** Takes the place of the browser's: gives the screen an answer that is there, and notes the question that has none. */
export function writeInjected(client: ApolloClient, query: DocumentNode, options: unknown): void {
  if (typeof options === 'symbol') return;
  const operation = nameOf(query);
  const variables = (options as { variables?: OperationVariables } | undefined)?.variables ?? {};
  const key = JSON.stringify(variables);
  const renderedAnswer = answers.find(
    (answer) => answer.operation === operation && JSON.stringify(answer.variables) === key,
  );
  if (renderedAnswer) client.cache.writeQuery({ query, variables, data: renderedAnswer.data, broadcast: false });
  else {
    const sent = print(client.cache.transformDocument(query));
    questions.set(operation + key, { operation, variables, query: sent });
  }
}
