import { formatPrice } from '~/ui/price';
import type { TotalsFragment } from './totals.generated';
import styles from './totals.module.css';

const count = new Intl.NumberFormat('en-US');

/** The four figures of the shop as a whole. */
export function Totals({ totals }: { totals: TotalsFragment }) {
  const figures = [
    ['Total Sales', formatPrice(totals.totalSales)],
    ['Total Orders', count.format(totals.totalOrders)],
    ['Total Users', count.format(totals.totalUsers)],
    ['Total Products', count.format(totals.totalProducts)],
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
