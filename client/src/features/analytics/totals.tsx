import { formatNumber } from '~/ui/format';
import { formatPrice } from '~/ui/price';
import type { TotalsFragment } from './totals.generated';
import styles from './totals.module.css';

/** The four figures of the shop as a whole. */
export function Totals({ totals }: { totals: TotalsFragment }) {
  const figures = [
    ['Total Sales', formatPrice(totals.totalSales)],
    ['Total Orders', formatNumber(totals.totalOrders)],
    ['Total Users', formatNumber(totals.totalUsers)],
    ['Total Products', formatNumber(totals.totalProducts)],
  ];
  return (
    <dl className={styles.totals}>
      {figures.map(([label, figure]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  );
}
