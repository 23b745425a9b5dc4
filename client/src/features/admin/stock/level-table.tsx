import { useRef, useState } from 'react';
import { Button } from '~/ui/button';
import { DataTable } from '~/ui/data-table';
import { formatNumber } from '~/ui/format';
import { Picture } from '~/ui/picture';
import { Status } from '~/ui/status';
import { AdjustForm } from './adjust-form';
import { Item } from './item';
import type { StockLevelFragment } from './stock.generated';
import styles from './stock.module.css';
import { texts } from './texts';
import { itemName } from './words';

interface LevelTableProps {
  levels: readonly StockLevelFragment[];
  stale: boolean;
  empty: string;
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

/** Which rows are open to be corrected. The focus goes back to the button of a row that closes. */
function useOpenRows() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const buttons = useRef(new Map<string, HTMLButtonElement>());

  function toggle(id: string) {
    setOpen((before) => new Set(before.has(id) ? [...before].filter((other) => other !== id) : [...before, id]));
  }

  function close(id: string) {
    toggle(id);
    buttons.current.get(id)?.focus();
  }

  function refOf(id: string) {
    return (button: HTMLButtonElement) => {
      buttons.current.set(id, button);
      return () => {
        buttons.current.delete(id);
      };
    };
  }

  return { has: (id: string) => open.has(id), toggle, close, refOf };
}

/** How many there are of each item, with a press to correct it. */
export function LevelTable({ levels, stale, empty, sort, onSort, ledgerOf, onAdjusted }: LevelTableProps) {
  const open = useOpenRows();
  return (
    <DataTable
      label={texts.title}
      rows={levels}
      stale={stale}
      empty={empty}
      sorting={{ by: sort, onSort }}
      rowClass={({ id }) => (open.has(id) ? styles.open : undefined)}
      detail={(level) =>
        open.has(level.id) && (
          <AdjustForm
            level={level}
            onCancel={() => open.close(level.id)}
            onDone={() => {
              open.close(level.id);
              onAdjusted();
            }}
          />
        )
      }
      columns={[
        {
          title: 'Picture',
          kind: 'thumbnail',
          cell: ({ image }) => image && <Picture image={image} sizes="44px" decorative />,
        },
        { title: 'Item', isRowHeader: true, cell: ({ id, item }) => <Item item={item} to={ledgerOf(id)} /> },
        {
          title: 'SKU',
          label: true,
          className: styles.sku,
          sorts: { ascending: 'sku', first: 'sku' },
          cell: ({ item }) => item.sku,
        },
        {
          title: 'In stock',
          kind: 'number',
          label: true,
          className: styles.out,
          sorts: { ascending: 'least', descending: 'most', first: 'least' },
          cell: (level) => <Left level={level} />,
        },
        {
          title: 'Reserved',
          kind: 'number',
          label: true,
          cell: ({ reserved }) => reserved > 0 && formatNumber(reserved),
        },
        { title: 'On the shelf', kind: 'number', label: true, cell: ({ onShelf }) => formatNumber(onShelf) },
        {
          title: 'Controls',
          kind: 'controls',
          cell: ({ id, item }) => (
            <Button
              small
              ref={open.refOf(id)}
              aria-expanded={open.has(id)}
              aria-label={`${texts.adjust} ${itemName(item)}`}
              onClick={() => open.toggle(id)}
            >
              {texts.adjust}
            </Button>
          ),
        },
      ]}
    />
  );
}
