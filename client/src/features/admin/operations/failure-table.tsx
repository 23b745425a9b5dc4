import { kinds } from '~/features/admin/job-kinds';
import { formatMoment } from '~/ui/format';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
import type { FailureRowFragment } from './operations.generated';
import { texts } from './texts';

/** What was given up last, newest first. */
export function FailureTable({ failures }: { failures: readonly FailureRowFragment[] }) {
  return (
    <Table label={texts.failures}>
      <thead>
        <tr>
          <Head>What</Head>
          <Head>About</Head>
          <Head>Given up</Head>
          <Head number>Attempts</Head>
          <Head>Error</Head>
        </tr>
      </thead>
      <tbody>
        {failures.map(({ id, kind, reference, attempts, error, failedAt }) => (
          <tr key={id}>
            <th scope="row">{kinds[kind] ?? kind}</th>
            <td data-label="About">{reference}</td>
            <td className={table.nowrap} data-label="Given up">
              <time dateTime={failedAt}>{formatMoment(failedAt)}</time>
            </td>
            <td className={table.number} data-label="Attempts">
              {attempts}
            </td>
            <td data-label="Error">{error}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
