import { useNavigate } from 'react-router';
import { PanelFailure } from '~/features/admin/panel';
import { MissingNote } from '~/features/analytics/missing-note';
import styles from '~/features/analytics/overview/overview.module.css';
import { PeriodMenu } from '~/features/analytics/overview/period-menu';
import { comparisons, presets } from '~/features/analytics/overview/words';
import { SubNavigation } from '~/features/analytics/sub-navigation';
import { texts } from '~/features/analytics/texts';
import { TopProducts } from '~/features/analytics/top-products';
import { Totals } from '~/features/analytics/totals';
import { failure } from '~/graphql/list-page';
import { lazyPart } from '~/ui/lazy-part';
import { Waiting } from '~/ui/ring';
import { useSearchParams } from '~/ui/use-search-params';
import { useAdminAnalyticsQuery } from './admin.generated';

/** A window high, so that what stands below does not move when the charts come. */
const waiting = (
  <div className={styles.reserved}>
    <Waiting>{texts.opening}</Waiting>
  </div>
);
const ReportBuilder = lazyPart(
  async () => ({ default: (await import('~/features/analytics/reports/report-builder')).ReportBuilder }),
  { waiting },
);
const OverviewCharts = lazyPart(
  async () => ({ default: (await import('~/features/analytics/overview/overview-charts')).OverviewCharts }),
  {
    waiting,
  },
);

/** Which time the charts are about, as the address says it. */
function usePeriod() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  return {
    preset: presets.find((each) => each === query.get('in')) ?? 'THIS_MONTH',
    versus: comparisons.find((each) => each === query.get('versus')) ?? 'PREVIOUS_PERIOD',
    onChange: ({ preset, versus }: { preset: string; versus: string }) =>
      void navigate(`/admin?tab=analytics&in=${preset}&versus=${versus}`, { replace: true }),
  };
}

/** Heads figures that the chosen period does not change. */
function AllTime({ id, children }: { id?: string; children: string }) {
  return (
    <div className={styles.cardHead}>
      <h2 id={id}>{children}</h2>
      <span className="small soft">{texts.allTime}</span>
    </div>
  );
}

function Overview() {
  const { preset, versus, onChange } = usePeriod();
  const { data, error } = useAdminAnalyticsQuery({ fetchPolicy: 'cache-and-network' });
  const analytics = data?.admin?.analytics;
  const failed = failure(error, texts.failed);
  return (
    <>
      <SubNavigation current="overview">
        <PeriodMenu preset={preset} versus={versus} onChange={onChange} />
      </SubNavigation>
      {!analytics && failed && <PanelFailure>{failed}</PanelFailure>}
      {!analytics && !failed && (
        <div className={styles.reserved}>
          <Waiting>{texts.counting}</Waiting>
        </div>
      )}
      {analytics && (
        <>
          <section className={styles.totals} aria-labelledby="totals">
            <AllTime id="totals">{texts.totals}</AllTime>
            <Totals totals={analytics} />
          </section>
          <OverviewCharts preset={preset} versus={versus} />
          <section className={styles.top}>
            <AllTime>{texts.topProducts}</AllTime>
            <TopProducts products={analytics.topProducts} />
          </section>
        </>
      )}
    </>
  );
}

/** The shop in figures: what every morning asks, and reports of one's own. */
export default function AnalyticsTab() {
  const [query] = useSearchParams();
  return (
    <>
      <MissingNote />
      {query.get('view') === 'reports' ? <ReportBuilder /> : <Overview />}
    </>
  );
}
