import { Panel } from '~/features/admin/panel';
import { texts } from '~/features/analytics/texts';
import { TopProducts } from '~/features/analytics/top-products';
import { Totals } from '~/features/analytics/totals';
import { serverWords } from '~/graphql/settled';
import { useAdminAnalyticsQuery } from './admin.generated';

/** The shop in figures. */
export default function AnalyticsTab() {
  const { data, error } = useAdminAnalyticsQuery({ fetchPolicy: 'cache-and-network' });
  const analytics = data?.admin?.analytics;
  const failed = error ? (serverWords(error) ?? texts.failed) : false;
  return (
    <>
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
