import { Fragment, useRef, useState } from 'react';
import { Button } from '~/ui/button';
import { formatNumber } from '~/ui/format';
import { Picture } from '~/ui/picture';
import { Status } from '~/ui/status';
import { Head, Table } from '~/ui/table';
import table from '~/ui/table.module.css';
import { AdjustForm } from './adjust-form';
import { ItemCell } from './item-cell';
import type { StockLevelFragment } from './stock.generated';
import styles from './stock.module.css';
import { texts } from './texts';
import { itemName } from './words';

const COLUMNS = 7;

interface LevelTableProps {
  levels: readonly StockLevelFragment[];
  stale: boolean;
  sort: string;
  onSort: (sort: string) => void;
  /** Address of an item's history. */
  ledgerOf: (id: string) => string;
  onAdjusted: () => void;
}

function Left({ level }: { level: StockLevelFragment }) {
  if (level.stock === 0) return <Status mark="empty">Sold out</Status>;
  return <span className={level.isLow ? styles.few : undefined}>{formatNumber(level.stock)}</span>;
}

function Row({
  level,
  ledgerOf,
  onAdjusted,
}: { level: StockLevelFragment } & Pick<LevelTableProps, 'ledgerOf' | 'onAdjusted'>) {
  const [adjusting, setAdjusting] = useState(false);
  const opener = useRef<HTMLTableCellElement>(null);

  function close() {
    setAdjusting(false);
    opener.current?.querySelector('button')?.focus();
  }

  return (
    <Fragment>
      <tr className={adjusting ? styles.open : undefined}>
        <td className={table.thumbnail}>{level.image && <Picture image={level.image} sizes="44px" decorative />}</td>
        <ItemCell item={level.item} to={ledgerOf(level.id)} />
        <td className={styles.sku} data-label="SKU">
          {level.item.sku}
        </td>
        <td className={`${table.number} ${styles.out}`} data-label="In stock">
          <Left level={level} />
        </td>
        <td className={table.number} data-label="Reserved">
          {level.reserved > 0 && formatNumber(level.reserved)}
        </td>
        <td className={table.number} data-label="On the shelf">
          {formatNumber(level.onShelf)}
        </td>
        <td className={table.actions} ref={opener}>
          <Button
            small
            aria-expanded={adjusting}
            aria-label={`${texts.adjust} ${itemName(level.item)}`}
            onClick={() => setAdjusting(!adjusting)}
          >
            {texts.adjust}
          </Button>
        </td>
      </tr>
      {adjusting && (
        <tr>
          <td colSpan={COLUMNS}>
            <AdjustForm
              level={level}
              onCancel={close}
              onDone={() => {
                close();
                onAdjusted();
              }}
            />
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** How many there are of each item, with a press to correct it. */
export function LevelTable({ levels, stale, sort, onSort, ...row }: LevelTableProps) {
  const byStock = sort === 'least' ? 'ascending' : sort === 'most' ? 'descending' : 'none';
  return (
    <Table label={texts.title} stale={stale}>
      <thead>
        <tr>
          <Head hidden>Picture</Head>
          <Head>Item</Head>
          <Head sorted={sort === 'sku' ? 'ascending' : 'none'} onSort={() => onSort('sku')}>
            SKU
          </Head>
          <Head number sorted={byStock} onSort={() => onSort(sort === 'least' ? 'most' : 'least')}>
            In stock
          </Head>
          <Head number>Reserved</Head>
          <Head number>On the shelf</Head>
          <Head hidden>Controls</Head>
        </tr>
      </thead>
      <tbody>
        {levels.map((level) => (
          <Row key={level.id} level={level} {...row} />
        ))}
      </tbody>
    </Table>
  );
}
