import { type Column, DataTable } from '~/ui/data-table';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { formatPrice } from '~/ui/price';
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

function Item({ line }: { line: AdminOrderLinePartsFragment }) {
  const name = line.name ?? texts.noName;
  return (
    <>
      {line.productId ? (
        <Link to={`/product/${line.productId}`} className="link">
          {name}
        </Link>
      ) : (
        name
      )}
      <span className={styles.choice}>{[line.color, line.size].filter(Boolean).join(', ')}</span>
    </>
  );
}

const columns: readonly Column<AdminOrderLinePartsFragment>[] = [
  {
    title: 'Picture',
    kind: 'thumbnail',
    cell: ({ image }) => image && <Picture image={image} sizes="44px" decorative />,
  },
  { title: 'Item', isRowHeader: true, cell: (line) => <Item line={line} /> },
  { title: 'SKU', className: styles.sku, cell: ({ sku }) => sku },
  { title: 'Where it is', cell: whereabouts },
  { title: 'Pieces', kind: 'number', label: true, cell: ({ quantity }) => quantity },
  { title: 'Price', kind: 'number', label: true, cell: ({ price }) => formatPrice(price) },
  { title: 'Total', kind: 'number', label: true, cell: ({ total }) => formatPrice(total) },
];

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
      <DataTable label="Items" rows={order.lines} columns={columns} />
      <Sums order={order} />
    </>
  );
}
