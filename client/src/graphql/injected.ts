import type { ApolloClient, DocumentNode, OperationVariables } from '@apollo/client';

interface Injected {
  operation: string;
  variables: OperationVariables;
  data: unknown;
}

let waiting: Injected[] | undefined;

function readPage(): Injected[] {
  const text = document.getElementById('apollo-state')?.textContent;
  return text ? (JSON.parse(text) as Injected[]) : [];
}

/**
 * Moves the answers that the server put into the page for this operation into the cache, once.
 * It cannot happen earlier: the documents arrive with the route that owns them.
 */
export function writeInjected(client: ApolloClient, query: DocumentNode, _options?: unknown): void {
  waiting ??= readPage();
  if (waiting.length === 0) return;

  const definition = query.definitions.find(({ kind }) => kind === 'OperationDefinition');
  const name = definition?.kind === 'OperationDefinition' ? definition.name?.value : undefined;
  const mine = waiting.filter(({ operation }) => operation === name);
  waiting = waiting.filter(({ operation }) => operation !== name);
  for (const { variables, data } of mine) client.cache.writeQuery({ query, variables, data, broadcast: false });
}
