import { type FormEvent, useState } from 'react';
import { Button } from '~/ui/button';
import { Field } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import { SizeChecks } from '~/ui/size-tape';
import styles from './list-bar.module.css';
import { type Narrowing, SIZES } from './list-state';
import type { FacetsFragment } from './product-list.generated';

export interface FilterProps {
  narrowing: Narrowing;
  facets: FacetsFragment | undefined;
  narrow: (part: Partial<Narrowing>) => void;
}

/** Color families with the number of products in each. */
function ColorFilter({ narrowing, facets, narrow }: FilterProps) {
  const colors = facets?.colors ?? [];
  if (colors.length === 0) return <p className="small soft">No colors to choose from.</p>;
  return (
    <div className={styles.colors} role="group" aria-label="Color">
      {colors.map(({ name, hex, count }) => (
        <label key={name} className={styles.color} style={{ '--cloth': hex }}>
          <input
            type="checkbox"
            checked={narrowing.colors.includes(name)}
            onChange={({ target }) =>
              narrow({
                colors: target.checked
                  ? [...narrowing.colors, name].toSorted()
                  : narrowing.colors.filter((other) => other !== name),
              })
            }
          />
          <span>{name}</span>
          <span className={styles.count}>{count}</span>
        </label>
      ))}
    </div>
  );
}

const digits = (text: string) => text.replace(/[^\d.]/g, '') || null;

/** From and to, in dollars; applied together. */
function PriceFilter({ narrowing, facets, narrow }: FilterProps) {
  const [from, setFrom] = useState(narrowing.priceFrom ?? '');
  const [to, setTo] = useState(narrowing.priceTo ?? '');
  const range = facets?.priceRange;

  function apply(event: FormEvent) {
    event.preventDefault();
    narrow({ priceFrom: digits(from), priceTo: digits(to) });
  }

  return (
    <form className={styles.price} onSubmit={apply}>
      <Field
        label="From, $"
        inputMode="decimal"
        placeholder={range ? formatPrice(range.lowest) : undefined}
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
      <Field
        label="To, $"
        inputMode="decimal"
        placeholder={range ? formatPrice(range.highest) : undefined}
        value={to}
        onChange={({ target }) => setTo(target.value)}
      />
      <Button type="submit" small>
        Apply
      </Button>
    </form>
  );
}

/** One filter's choices. */
export default function FilterPanel({ of, ...filter }: FilterProps & { of: 'size' | 'color' | 'price' }) {
  if (of === 'color') return <ColorFilter {...filter} />;
  if (of === 'price') return <PriceFilter {...filter} />;
  const { narrowing, narrow } = filter;
  return <SizeChecks label="Size" sizes={SIZES} chosen={narrowing.sizes} onChange={(sizes) => narrow({ sizes })} />;
}
