import { CategoryChart, CustomersChart, FunnelChart, HoursChart, SalesChart, SoonSoldOut } from './charts';
import styles from './overview.module.css';
import type { Comparison, Preset } from './words';

/** The six charts that a shop's owner looks at every morning. */
export function OverviewCharts({ preset, versus }: { preset: Preset; versus: Comparison }) {
  return (
    <div className={styles.cards}>
      <SalesChart preset={preset} versus={versus} />
      <FunnelChart preset={preset} />
      <CategoryChart />
      <HoursChart />
      <CustomersChart preset={preset} />
      <SoonSoldOut />
    </div>
  );
}
