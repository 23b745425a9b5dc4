import { type Column, DataTable } from '~/ui/data-table';
import { Link } from '~/ui/link';
import { Moment } from '~/ui/time-zone';
import type { PageRowFragment } from './content.generated';
import { PageState } from './page-state';

const columns: readonly Column<PageRowFragment>[] = [
  {
    title: 'Page',
    isRowHeader: true,
    cell: ({ id, title }) => (
      <Link className="link" to={`/admin/content/${id}`}>
        {title}
      </Link>
    ),
  },
  { title: 'Address', label: true, cell: ({ path }) => path },
  { title: 'State', label: true, cell: (page) => <PageState page={page} /> },
  {
    title: 'Changed',
    label: true,
    cell: ({ updatedAt, updatedBy }) => (
      <>
        <Moment at={updatedAt} /> <span className="small soft">{updatedBy}</span>
      </>
    ),
  },
];

interface PageTableProps {
  pages: readonly PageRowFragment[];
  stale: boolean;
  empty: string;
}

/** Pages that the owner has written. */
export function PageTable({ pages, stale, empty }: PageTableProps) {
  return <DataTable label="Pages" columns={columns} rows={pages} stale={stale} empty={empty} />;
}
