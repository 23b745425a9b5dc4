import { everything, LogFilters } from '~/features/admin/log/log-filters';
import styles from '~/features/admin/log/log.module.css';
import { LogTable } from '~/features/admin/log/log-table';
import { texts } from '~/features/admin/log/texts';
import { toFilter } from '~/features/admin/log/to-filter';
import { Panel } from '~/features/admin/panel';
import { ShopDays } from '~/features/admin/shop-days';
import { serverWords } from '~/graphql/settled';
import { Link } from '~/ui/link';
import { Pager } from '~/ui/pager';
import { NoRows } from '~/ui/table';
import { useListQuery } from '~/ui/use-list-query';
import { useAdminLogChoicesQuery, useAdminLogQuery } from './admin-log.generated';

const PAGE = 50;

/** Who changed what in the back office. */
export default function AuditLogRoom() {
  const list = useListQuery(everything);
  const choices = useAdminLogChoicesQuery({ fetchPolicy: 'cache-and-network' }).data?.admin?.auditChoices;
  const { data, previousData, error, loading } = useAdminLogQuery({
    variables: { filter: toFilter(list.values), after: list.after },
    fetchPolicy: 'cache-and-network',
  });
  const { auditLog: log, timeZone } = (data ?? (error ? undefined : previousData))?.admin ?? {};
  const subject = list.values.subject && log?.nodes[0]?.subject;

  return (
    <Panel title={texts.title} waiting="Fetching the log" failed={error ? (serverWords(error) ?? texts.failed) : false}>
      {log && timeZone && (
        <>
          <LogFilters values={list.values} choices={choices} onChange={list.set} />
          <ShopDays timeZone={timeZone} />
          {list.values.subject && (
            <p className={styles.chosen}>
              <span>History of {subject ? <strong>{subject}</strong> : `one ${list.values.kind || 'thing'}`}</span>
              <Link to="/admin/log" className="link small">
                {texts.wholeLog}
              </Link>
            </p>
          )}
          <div>
            {log.nodes.length > 0 ? (
              <LogTable entries={log.nodes} timeZone={timeZone} stale={loading && !data} />
            ) : (
              <NoRows>{list.isNarrowed ? texts.nothingFound : texts.nothing}</NoRows>
            )}
            <Pager list={list} size={PAGE} shown={log.nodes.length} total={log.totalCount} pageInfo={log.pageInfo} />
          </div>
        </>
      )}
    </Panel>
  );
}
