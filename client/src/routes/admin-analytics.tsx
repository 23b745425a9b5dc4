import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { Panel } from '~/features/admin/panel';
import { SubNavigation } from '~/features/analytics/sub-navigation';
import { texts } from '~/features/analytics/texts';
import { TopProducts } from '~/features/analytics/top-products';
import { Totals } from '~/features/analytics/totals';
import { serverWords } from '~/graphql/settled';
import { Waiting } from '~/ui/ring';
import { useAdminAnalyticsQuery } from './admin.generated';

const ReportBuilder = lazy(() =>
  import('~/features/analytics/reports/report-builder').then((module) => ({ default: module.ReportBuilder })),
);

function Overview() {
  const { data, error } = useAdminAnalyticsQuery({ fetchPolicy: 'cache-and-network' });
  const analytics = data?.admin?.analytics;
  const failed = error ? (serverWords(error) ?? texts.failed) : false;
  return (
    <>
      <SubNavigation current="overview" />
      <Panel title="Totals" waiting="Counting" failed={failed}>
        {analytics && <Totals totals={analytics} />}
      </Panel>
      {analytics && (
        <Panel title="Top products" waiting="Counting" failed={false}>
          <TopProducts products={analytics.topProducts} />
        </Panel>
      )}
    </>
  );
}

/** The shop in figures: what every morning asks, and reports of one's own. */
export default function AnalyticsTab() {
  const [query] = useSearchParams();
  if (query.get('view') !== 'reports') return <Overview />;
  return (
    <Suspense fallback={<Waiting>{texts.opening}</Waiting>}>
      <ReportBuilder />
    </Suspense>
  );
}
