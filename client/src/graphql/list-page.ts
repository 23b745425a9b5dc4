import { serverWords } from './settled';

/** A page of a GraphQL connection. */
export interface Connection<Row> {
  totalCount: number;
  nodes: readonly Row[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

interface QueryResult<Data> {
  data?: Data | undefined;
  previousData?: Data | undefined;
  error?: unknown;
  refetch: () => Promise<unknown>;
}

/** What a list shows of its query: the page that was asked for or, until it arrives, the page before. */
export interface ListPage<Data, Row> {
  data: Data | undefined;
  /** Undefined until the first page arrives. */
  connection: Connection<Row> | undefined;
  /** The rows are those of the page before. */
  stale: boolean;
  error: unknown;
  retry: () => void;
}

/** What a list shows of a query's result; `pick` finds its connection in the data. */
export function listPage<Data, Row>(
  { data, previousData, error, refetch }: QueryResult<Data>,
  pick: (data: Data) => Connection<Row> | null | undefined,
): ListPage<Data, Row> {
  const latest = data ?? previousData;
  return {
    data: latest,
    connection: (latest && pick(latest)) ?? undefined,
    stale: data === undefined,
    error,
    retry: () => void refetch(),
  };
}

/** Why a fetch failed, in the server's words or else in these; false when it did not. */
export function failure(error: unknown, otherwise: string): string | false {
  return error ? (serverWords(error) ?? otherwise) : false;
}
