import type { ApolloClient, DocumentNode, OperationVariables } from '@apollo/client';
import { breath } from '~/ui/quiet';
import { nameOf } from './operation';

interface Injected {
  operation: string;
  variables: OperationVariables;
  data: unknown;
}

const documents = new Map<string, DocumentNode>();
let waiting: Injected[] | undefined;

function readPage(): Injected[] {
  const text = document.getElementById('apollo-state')?.textContent;
  return text ? (JSON.parse(text) as Injected[]) : [];
}

/** Notes a document that the code now there may ask. */
export function know(query: DocumentNode): void {
  documents.set(nameOf(query), query);
}

/**
 * Moves the answers that the server put into the page for this operation into the cache, once.
 * It cannot happen earlier: the documents arrive with the route that owns them.
 */
export function writeInjected(client: ApolloClient, query: DocumentNode, _options?: unknown): void {
  waiting ??= readPage();
  if (waiting.length === 0) return;

  const name = nameOf(query);
  for (const answer of waiting.filter(({ operation }) => operation === name)) write(client, query, answer);
}

function write({ cache }: ApolloClient, query: DocumentNode, answer: Injected): void {
  waiting = waiting?.filter((other) => other !== answer);
  cache.writeQuery({ query, variables: answer.variables, data: answer.data, broadcast: false });
}

/**
 * Does ahead of the first render, in small steps, what it would do in one: moves the page's answers into the cache and
 * reads each as a screen will, so that the cache remembers how.
 */
export async function takeIn(client: ApolloClient): Promise<void> {
  waiting ??= readPage();
  for (const answer of waiting) {
    const query = documents.get(answer.operation);
    if (!query) continue;
    for (const part of partsOf(client.cache.transformDocument(query))) {
      await breath();
      client.cache.writeQuery({ query: part, variables: answer.variables, data: answer.data, broadcast: false });
      await breath();
      client.cache.diff({ query: part, variables: answer.variables, optimistic: true });
    }
    await breath();
    waiting = waiting.filter((other) => other !== answer);
    client.watchQuery({ query, variables: answer.variables }).getCurrentResult();
  }
  await breath();
}

/** The same question, one field of its root at a time. What each selects is the same node: the cache knows it again. */
function partsOf(query: DocumentNode): DocumentNode[] {
  const [operation] = query.definitions.filter((definition) => definition.kind === 'OperationDefinition');
  if (!operation) return [];
  return operation.selectionSet.selections.map((selection) => {
    const part = { ...operation, selectionSet: { ...operation.selectionSet, selections: [selection] } };
    return { ...query, definitions: query.definitions.map((definition) => (definition === operation ? part : definition)) };
  });
}
