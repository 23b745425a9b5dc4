import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { formatPrice } from '~/ui/price';
import { Head, Table } from '~/ui/table';
import tableStyles from '~/ui/table.module.css';
import styles from './order.module.css';
import type { AdminOrderDetailFragment, AdminOrderLinePartsFragment } from './order.generated';
import { texts } from './texts';

function whereabouts({ toShip, shipped, calledOff, refunded }: AdminOrderLinePartsFragment): string {
  const parts = [
    toShip > 0 && `${toShip} to send`,
    shipped > 0 && `${shipped} sent`,
    calledOff > 0 && `${calledOff} called off`,
    refunded > 0 && `${refunded} refunded`,
  ];
  return parts.filter(Boolean).join(', ');
}

function Line({ line }: { line: AdminOrderLinePartsFragment }) {
  const name = line.name ?? texts.noName;
  return (
    <tr>
      <td className={tableStyles.thumbnail}>{line.image && <Picture image={line.image} sizes="44px" decorative />}</td>
      <th scope="row">
        {line.productId ? (
          <Link to={`/product/${line.productId}`} className="link">
            {name}
          </Link>
        ) : (
          name
        )}
        <span className={styles.choice}>{[line.color, line.size].filter(Boolean).join(', ')}</span>
      </th>
      <td className={styles.sku}>{line.sku}</td>
      <td>{whereabouts(line)}</td>
      <td className={tableStyles.number} data-label="Pieces">
        {line.quantity}
      </td>
      <td className={tableStyles.number} data-label="Price">
        {formatPrice(line.price)}
      </td>
      <td className={tableStyles.number} data-label="Total">
        {formatPrice(line.total)}
      </td>
    </tr>
  );
}

function Sums({ order: { sums, totalAmount, refundedAmount } }: { order: AdminOrderDetailFragment }) {
  const rows: [string, string][] = [['Subtotal', formatPrice(sums.subtotal)]];
  if (Number(sums.discount))
    rows.push([`Discount ${sums.discountCode ?? ''}`.trim(), `-${formatPrice(sums.discount)}`]);
  if (Number(sums.shipping)) rows.push(['Delivery', formatPrice(sums.shipping)]);
  if (Number(sums.tax)) rows.push([sums.taxIncluded ? 'Tax, within' : 'Tax', formatPrice(sums.tax)]);
  rows.push(['Total', formatPrice(totalAmount)]);
  if (Number(refundedAmount)) rows.push(['Refunded', `-${formatPrice(refundedAmount)}`]);
  return (
    <dl className={styles.sums}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What was bought, where it is now, and what it came to. */
export function OrderLines({ order }: { order: AdminOrderDetailFragment }) {
  return (
    <>
      <Table label="Items">
        <thead>
          <tr>
            <Head hidden>Picture</Head>
            <Head>Item</Head>
            <Head>SKU</Head>
            <Head>Where it is</Head>
            <Head number>Pieces</Head>
            <Head number>Price</Head>
            <Head number>Total</Head>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <Line key={line.id} line={line} />
          ))}
        </tbody>
      </Table>
      <Sums order={order} />
    </>
  );
}
