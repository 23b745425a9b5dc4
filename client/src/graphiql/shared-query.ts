export interface SharedQuery {
  query: string;
  /** As JSON; null for none. */
  variables: string | null;
  /** Which of the document's operations; null where it has one. */
  operationName: string | null;
}

/** What a link brings after its #, where no server sees it; null when it brings nothing. */
export function readShared(hash: string): SharedQuery | null {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const query = parameters.get('query');
  return query
    ? { query, variables: parameters.get('variables'), operationName: parameters.get('operationName') }
    : null;
}

/** A link that opens GraphiQL on a query. */
export function linkTo({ query, variables }: Pick<SharedQuery, 'query' | 'variables'>, page: string): string {
  const shared = `query=${encodeURIComponent(query)}`;
  return `${page}#${variables?.trim() ? `${shared}&variables=${encodeURIComponent(variables)}` : shared}`;
}
