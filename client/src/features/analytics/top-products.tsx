import { Picture } from '~/ui/picture';
import { formatPrice } from '~/ui/price';
import type { TopProductsFragment } from './totals.generated';
import styles from './totals.module.css';

/** The ten best by units; the bars compare their revenue. */
export function TopProducts({ products }: { products: TopProductsFragment['topProducts'] }) {
  if (products.length === 0) return <p className="soft">Nothing has been sold yet.</p>;

  const best = Math.max(...products.map(({ revenue }) => Number(revenue)));
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Picture</span>
          </th>
          <th scope="col">Product</th>
          <th scope="col" className={styles.number}>
            Sold
          </th>
          <th scope="col" className={styles.number}>
            Revenue
          </th>
          <th scope="col" className={styles.share} aria-hidden="true" />
        </tr>
      </thead>
      <tbody>
        {products.map(({ id, name, image, totalSold, revenue }) => (
          <tr key={id}>
            <td className={styles.thumbnail}>{image && <Picture image={image} sizes="44px" decorative />}</td>
            <th scope="row">{name}</th>
            <td className={styles.number}>{totalSold}</td>
            <td className={styles.number}>{formatPrice(revenue)}</td>
            <td className={styles.share} aria-hidden="true">
              <div style={{ '--share': best > 0 ? Number(revenue) / best : 0 }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
