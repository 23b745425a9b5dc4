import type { ReactNode } from 'react';
import { failure, type ListPage } from '~/graphql/list-page';
import { Pager } from '~/ui/pager';
import { TableSkeleton } from '~/ui/table';
import type { ListQuery } from '~/ui/use-list-query';
import { Panel } from './panel';
import styles from './panel.module.css';

/** Rows of a page, as most documents ask for. */
const PAGE_SIZE = 50;

interface ListProps<Row> {
  /** The page's place among the others, as the address has it. */
  list: Pick<ListQuery<Record<string, string>>, 'page' | 'next' | 'previous'>;
  page: ListPage<unknown, Row>;
  pageSize?: number;
  /** The table, and what it says when it has no rows. */
  children: (rows: readonly Row[], stale: boolean) => ReactNode;
}

/** A page of a list with the ways to the others; nothing until the first page arrives. */
export function List<Row>({ list, page: { connection, stale }, pageSize = PAGE_SIZE, children }: ListProps<Row>) {
  if (!connection) return null;
  const { nodes, totalCount, pageInfo } = connection;
  return (
    <div>
      {children(nodes, stale)}
      <Pager list={list} size={pageSize} shown={nodes.length} total={totalCount} pageInfo={pageInfo} />
    </div>
  );
}

interface ListPanelProps<Row> extends ListProps<Row> {
  /** Left out where a tab says it. */
  title?: string;
  /** Beside the title. */
  aside?: ReactNode;
  /** What is awaited, in words. */
  waiting: string;
  /** Said of a fetch that failed without words of the server. */
  failed: string;
  /** Search and filters, and whatever else stands above the rows. */
  above?: ReactNode;
  /** Stands below the rows, such as what can be done with those that are ticked. */
  below?: ReactNode;
}

/** A list of the back office: its filters, its rows and its pages, the wait for them, or why they do not come. */
export function ListPanel<Row>({ title, aside, waiting, failed, above, below, ...rows }: ListPanelProps<Row>) {
  const { connection, error, retry } = rows.page;
  return (
    <Panel
      title={title}
      aside={aside}
      waiting={waiting}
      skeleton={<TableSkeleton />}
      failed={failure(error, failed)}
      onRetry={retry}
    >
      {connection && (
        <div className={styles.list}>
          {above}
          <List {...rows} />
          {below}
        </div>
      )}
    </Panel>
  );
}
