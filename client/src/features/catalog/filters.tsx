import { type FormEvent, Fragment, useState } from 'react';
import { type Parsed, parseAmount } from '~/ui/amount';
import { Button } from '~/ui/button';
import { Field } from '~/ui/field';
import { formatPrice } from '~/ui/price';
import { SizeChecks } from '~/ui/size-checks';
import { type ChoicesFacet, type Facet, isEmpty, nameOf, optionsOf, type RangeFacet } from './facets';
import styles from './list-bar.module.css';
import { amount, chosenOf, type ListFilters, withValue } from './list-filters';
import type { FilterChange } from './list-state';
import type { FacetsFragment } from './product-list.generated';

export interface FilterProps {
  filters: ListFilters;
  facets: FacetsFragment | undefined;
  narrow: (part: FilterChange) => void;
}

/** Values to choose, with the number of products of each; what would leave none can only be taken back. */
function Choices({ facet, filters, facets, narrow }: FilterProps & { facet: ChoicesFacet }) {
  const chosen = chosenOf(facet, filters);
  const options = optionsOf(facet, facets);
  const choose = (value: string, isIn: boolean) => {
    if (!isEmpty(options.find((option) => option.value === value)?.count, !isIn)) {
      narrow((now) => withValue(facet, now, value, isIn));
    }
  };
  if (facet.values) {
    const groups = [...new Set(options.map(({ group }) => group))];
    return groups.map((group) => (
      <Fragment key={group ?? facet.label}>
        {groups.length > 1 && <p className="small soft">{group}</p>}
        <SizeChecks
          label={groups.length > 1 ? (group ?? '') : facet.label}
          sizes={options
            .filter((option) => option.group === group)
            .map(({ value, count }) => ({ value, name: nameOf(value), count }))}
          chosen={chosen}
          onSwitch={choose}
        />
      </Fragment>
    ));
  }
  if (options.length === 0) return <p className="small soft">No {facet.label.toLowerCase()}s to choose from.</p>;
  return (
    <div className={styles.colors} role="group" aria-label={facet.label}>
      {options.map(({ value, hex, count }) => (
        <label key={value} className={styles.color} style={{ '--cloth': hex }}>
          <input
            type="checkbox"
            checked={chosen.includes(value)}
            aria-disabled={isEmpty(count, chosen.includes(value))}
            onChange={({ target }) => choose(value, target.checked)}
          />
          <span>{value}</span>
          <span className={styles.count}>{count}</span>
        </label>
      ))}
    </div>
  );
}

/** From and to, in dollars; applied together. */
function Range({ facet, filters, facets, narrow }: FilterProps & { facet: RangeFacet }) {
  const [lowest, highest] = [filters[facet.from.member] ?? '', filters[facet.to.member] ?? ''];
  const [typed, setTyped] = useState({ from: lowest, to: highest });
  const [range, setRange] = useState({ lowest, highest });
  const [applied, setApplied] = useState(false);
  const bounds = facets && facet.bounds(facets);
  const [least, most] = [parseAmount(typed.from), parseAmount(typed.to)];
  const problem = (parsed: Parsed<string>) => (applied && parsed.invalid ? 'An amount such as 19.90' : undefined);

  // The address changed: by Apply, by Clear or by Back.
  if (range.lowest !== lowest || range.highest !== highest) {
    setRange({ lowest, highest });
    setTyped({ from: lowest, to: highest });
  }

  function apply(event: FormEvent) {
    event.preventDefault();
    setApplied(true);
    if (least.invalid || most.invalid) return;
    narrow({ [facet.from.member]: amount(typed.from), [facet.to.member]: amount(typed.to) });
  }

  return (
    <form className={styles.price} onSubmit={apply}>
      <Field
        label="From, $"
        inputMode="decimal"
        placeholder={bounds ? formatPrice(bounds.lowest) : undefined}
        error={problem(least)}
        value={typed.from}
        onChange={({ target }) => setTyped({ ...typed, from: target.value })}
      />
      <Field
        label="To, $"
        inputMode="decimal"
        placeholder={bounds ? formatPrice(bounds.highest) : undefined}
        error={problem(most)}
        value={typed.to}
        onChange={({ target }) => setTyped({ ...typed, to: target.value })}
      />
      <Button type="submit" small>
        Apply
      </Button>
    </form>
  );
}

/** One facet's choices; a flag is a checkbox beside them. */
export default function FilterPanel({ facet, ...filter }: FilterProps & { facet: Facet }) {
  if (facet.kind === 'choices') return <Choices facet={facet} {...filter} />;
  return facet.kind === 'range' ? <Range facet={facet} {...filter} /> : null;
}
