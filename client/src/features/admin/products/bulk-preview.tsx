import { DataTable } from '~/ui/data-table';
import { formatFieldMomentIn, formatNumber } from '~/ui/format';
import { formatPrice } from '~/ui/price';
import { useTimeZone } from '~/ui/time-zone';
import type { BulkPreviewFragment, ProductStateFragment } from './bulk.generated';
import styles from './bulk.module.css';
import type { BulkKind } from './bulk-change';

const many = (count: number) => (count === 1 ? '1 product' : `${formatNumber(count)} products`);

function windowOf({ discountStartsAt, discountEndsAt }: ProductStateFragment, timeZone: string) {
  const parts = [
    discountStartsAt && `from ${formatFieldMomentIn(timeZone, discountStartsAt)}`,
    discountEndsAt && `until ${formatFieldMomentIn(timeZone, discountEndsAt)}`,
  ];
  return parts.filter(Boolean).join(' ');
}

function words(kind: BulkKind, state: ProductStateFragment, timeZone: string): string {
  if (kind === 'price') return formatPrice(state.price);
  if (kind === 'stock') return `${formatNumber(state.stock ?? 0)} in stock`;
  if (kind === 'discount') {
    if (!state.discountedPrice) return 'No discount';
    return [formatPrice(state.discountedPrice), windowOf(state, timeZone)].filter(Boolean).join(', ');
  }
  return state.isRetired ? 'Retired' : 'On offer';
}

/** What a change would do, product by product, before anything is done. */
export function BulkPreviewTable({ kind, preview }: { kind: BulkKind; preview: BulkPreviewFragment }) {
  const { changing, unchanged, refused, rows } = preview;
  const timeZone = useTimeZone();
  const rest = changing + refused - rows.length;
  return (
    <div className={styles.preview}>
      <p role="status">
        {[
          changing > 0 ? `${many(changing)} will change` : 'Nothing will change',
          refused > 0 &&
            `${many(refused)} cannot and stay${refused === 1 ? 's' : ''} as ${refused === 1 ? 'it is' : 'they are'}`,
          unchanged > 0 && `${many(unchanged)} ${unchanged === 1 ? 'is' : 'are'} so already`,
        ]
          .filter(Boolean)
          .join('; ')}
        .
      </p>
      {rows.length > 0 && (
        <div className={styles.rows}>
          <DataTable
            label="What will change"
            rows={rows}
            keyOf={({ productId }) => productId}
            columns={[
              { title: 'Product', isRowHeader: true, cell: ({ name }) => name },
              { title: 'Now', kind: 'number', cell: ({ before }) => words(kind, before, timeZone) },
              {
                title: 'Then',
                kind: 'number',
                className: ({ problem }) => (problem ? styles.problem : styles.then),
                cell: ({ problem, after, raisesPrice }) => (
                  <>
                    {problem ?? words(kind, after, timeZone)}
                    {kind === 'discount' && raisesPrice && <strong>, raises what shoppers pay</strong>}
                  </>
                ),
              },
            ]}
          />
        </div>
      )}
      {rest > 0 && <p className="small soft">And {many(rest)} more.</p>}
    </div>
  );
}
