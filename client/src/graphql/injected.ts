import type { ApolloClient, DocumentNode, OperationVariables } from '@apollo/client';
import { yieldToMain } from '~/ui/scheduling';
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
export function registerDocument(query: DocumentNode): void {
  documents.set(nameOf(query), query);
}

/** Strikes these off the answers that the server put into the page, so that each is used once. */
function take(fits: (answer: Injected) => boolean): Injected[] {
  waiting ??= readPage();
  const taken = waiting.filter(fits);
  waiting = waiting.filter((answer) => !taken.includes(answer));
  return taken;
}

/**
 * Moves the page's answers for this operation into the cache, once.
 * It cannot happen earlier: the documents arrive with the route that owns them.
 */
export function writeInjected({ cache }: ApolloClient, query: DocumentNode, _options?: unknown): void {
  for (const { variables, data } of take(({ operation }) => operation === nameOf(query)))
    cache.writeQuery({ query, variables, data, broadcast: false });
}

/**
 * Does ahead of the first render, in small steps, what it would do in one: moves the page's answers into the cache and
 * reads each as a screen will, so that the cache remembers how.
 */
export async function hydrateCache(client: ApolloClient): Promise<void> {
  for (const { operation, variables, data } of take((answer) => documents.has(answer.operation))) {
    const query = documents.get(operation);
    if (!query) continue;
    for (const part of partsOf(client.cache.transformDocument(query))) {
      await yieldToMain();
      client.cache.writeQuery({ query: part, variables, data, broadcast: false });
      await yieldToMain();
      client.cache.diff({ query: part, variables, optimistic: true });
    }
    await yieldToMain();
    client.watchQuery({ query, variables }).getCurrentResult();
  }
  await yieldToMain();
}

/** The same question, one field of its root at a time. What each selects is the same node, so the cache entry is reused. */
function partsOf(query: DocumentNode): DocumentNode[] {
  const [operation] = query.definitions.filter((definition) => definition.kind === 'OperationDefinition');
  if (!operation) return [];
  return operation.selectionSet.selections.map((selection) => {
    const part = { ...operation, selectionSet: { ...operation.selectionSet, selections: [selection] } };
    return {
      ...query,
      definitions: query.definitions.map((definition) => (definition === operation ? part : definition)),
    };
  });
}
