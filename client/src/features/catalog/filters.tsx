import { type FormEvent, useState } from 'react';
import { SIZES } from '~/graphql/catalogue';
import { type Parsed, parseAmount } from '~/ui/amount';
import { Button } from '~/ui/button';
import { Field } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import { SizeChecks } from '~/ui/size-tape';
import styles from './list-bar.module.css';
import { amount, type Narrowing, type NarrowingChange } from './list-state';
import type { FacetsFragment } from './product-list.generated';

export interface FilterProps {
  narrowing: Narrowing;
  facets: FacetsFragment | undefined;
  narrow: (part: NarrowingChange) => void;
}

/** The same list with one item in it, or without. */
function switched<Item>(items: readonly Item[], item: Item, isIn: boolean): Item[] {
  const others = items.filter((other) => other !== item);
  return isIn ? [...others, item] : others;
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
              narrow(({ colors }) => ({ colors: switched(colors, name, target.checked).toSorted() }))
            }
          />
          <span>{name}</span>
          <span className={styles.count}>{count}</span>
        </label>
      ))}
    </div>
  );
}

/** From and to, in dollars; applied together. */
function PriceFilter({ narrowing, facets, narrow }: FilterProps) {
  const [from, setFrom] = useState(narrowing.priceFrom ?? '');
  const [to, setTo] = useState(narrowing.priceTo ?? '');
  const [applied, setApplied] = useState(false);
  const range = facets?.priceRange;
  const [least, most] = [parseAmount(from), parseAmount(to)];
  const problem = (amount: Parsed<string>) => (applied && amount.invalid ? 'An amount such as 19.90' : undefined);

  function apply(event: FormEvent) {
    event.preventDefault();
    setApplied(true);
    if (!least.invalid && !most.invalid) narrow({ priceFrom: amount(from), priceTo: amount(to) });
  }

  return (
    <form className={styles.price} onSubmit={apply}>
      <Field
        label="From, $"
        inputMode="decimal"
        placeholder={range ? formatPrice(range.lowest) : undefined}
        error={problem(least)}
        value={from}
        onChange={({ target }) => setFrom(target.value)}
      />
      <Field
        label="To, $"
        inputMode="decimal"
        placeholder={range ? formatPrice(range.highest) : undefined}
        error={problem(most)}
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
  return (
    <SizeChecks
      label="Size"
      sizes={SIZES}
      chosen={narrowing.sizes}
      onSwitch={(size, isIn) =>
        narrow(({ sizes }) => ({ sizes: SIZES.filter((one) => (one === size ? isIn : sizes.includes(one))) }))
      }
    />
  );
}
