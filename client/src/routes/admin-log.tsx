import { ListPanel } from '~/features/admin/list';
import { everything, logFilters } from '~/features/admin/log/log-filters';
import styles from '~/features/admin/log/log.module.css';
import { LogTable } from '~/features/admin/log/log-table';
import { texts } from '~/features/admin/log/texts';
import { toFilter } from '~/features/admin/log/to-filter';
import { ShopDays } from '~/features/admin/shop-days';
import { listPage } from '~/graphql/list-page';
import { FilterBar } from '~/ui/filter-bar';
import { Link } from '~/ui/link';
import { useListQuery } from '~/ui/use-list-query';
import { useAdminLogChoicesQuery, useAdminLogQuery } from './admin-log.generated';

/** Whose history the log is narrowed to, and the way back to all of it. */
function ChosenSubject({ name, kind }: { name: string | undefined; kind: string }) {
  return (
    <p className={styles.chosen}>
      <span>History of {name ? <strong>{name}</strong> : `one ${kind || 'thing'}`}</span>
      <Link to="/admin/log" className="link small">
        {texts.wholeLog}
      </Link>
    </p>
  );
}

/** Who changed what in the back office. */
export default function AuditLogScreen() {
  const list = useListQuery(everything);
  const { subject, kind } = list.values;
  const choices = useAdminLogChoicesQuery({ fetchPolicy: 'cache-and-network' }).data?.admin?.auditChoices;
  const result = useAdminLogQuery({
    variables: { filter: toFilter(list.values), after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  const page = listPage(result, ({ admin }) => admin?.auditLog);

  return (
    <ListPanel
      title={texts.title}
      waiting="Fetching the log"
      failed={texts.failed}
      list={list}
      page={page}
      above={
        <>
          <FilterBar list={list} fields={logFilters(list.values, choices)} />
          <ShopDays />
          {subject && <ChosenSubject name={page.connection?.nodes[0]?.subject} kind={kind} />}
        </>
      }
    >
      {(entries, stale) => (
        <LogTable entries={entries} stale={stale} empty={list.isNarrowed ? texts.nothingFound : texts.nothing} />
      )}
    </ListPanel>
  );
}
