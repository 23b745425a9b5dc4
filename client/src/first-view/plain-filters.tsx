import styles from '~/features/catalog/list-bar.module.css';
import { type Facet, isEmpty, nameOf, optionsOf } from '~/features/catalog/facets';
import { chosenOf, type ListFilters } from '~/features/catalog/list-filters';
import type { PlainFiltersProps } from '~/features/catalog/plain-filters';
import { Button, ButtonLink } from '~/ui/button';
import { Checkbox } from '~/ui/choice';

interface InputsProps extends Pick<PlainFiltersProps, 'facets'> {
  facet: Facet;
  filters: ListFilters;
}

function Inputs({ facet, filters, facets }: InputsProps) {
  if (facet.kind === 'flag') {
    return (
      <Checkbox
        name={facet.parameter}
        value={facet.value}
        defaultChecked={filters[facet.member] === true}
        disabled={isEmpty(facets?.[facet.member], filters[facet.member] === true)}
      >
        {facet.label}
      </Checkbox>
    );
  }
  if (facet.kind === 'range') {
    const ends = [
      { label: 'From, $', ...facet.from },
      { label: 'To, $', ...facet.to },
    ];
    return ends.map(({ label, member, parameter }) => (
      <label key={parameter}>
        {label} <input name={parameter} inputMode="decimal" defaultValue={filters[member] ?? ''} />
      </label>
    ));
  }
  const chosen = chosenOf(facet, filters);
  return optionsOf(facet, facets).map(({ value, group, count }) => (
    <Checkbox
      key={value}
      name={facet.parameter}
      value={value}
      defaultChecked={chosen.includes(value)}
      disabled={isEmpty(count, chosen.includes(value))}
    >
      {group ? `${group} ${nameOf(value)}` : nameOf(value)}
    </Checkbox>
  ));
}

/** The form that takes the place of the list's bar where there is no script. */
export function PlainFilters({ list: { filters, sort, sorts, words }, facets, offered }: PlainFiltersProps) {
  const slug = sorts.find(({ id }) => id === sort)?.slug;
  return (
    <noscript>
      <details className={`page ${styles.plain}`}>
        <summary>Filter and order</summary>
        <form method="get" className={styles.plainForm}>
          {words !== null && <input type="hidden" name="q" value={words} />}
          {offered
            .filter(({ kind }) => kind !== 'flag')
            .map((facet) => (
              <fieldset key={facet.label}>
                <legend>{facet.label}</legend>
                <Inputs facet={facet} filters={filters} facets={facets} />
              </fieldset>
            ))}
          <fieldset>
            <legend>Only</legend>
            {offered
              .filter(({ kind }) => kind === 'flag')
              .map((facet) => (
                <Inputs key={facet.label} facet={facet} filters={filters} facets={facets} />
              ))}
          </fieldset>
          <label>
            Order{' '}
            <select name="sort" defaultValue={slug}>
              {sorts.map((one) => (
                <option key={one.id} value={one.slug}>
                  {one.label}
                </option>
              ))}
            </select>
          </label>
          <p className={styles.plainActions}>
            <Button type="submit">Show</Button>
            <ButtonLink to={{ search: words === null ? '' : `?${new URLSearchParams({ q: words })}` }}>
              Clear
            </ButtonLink>
          </p>
        </form>
      </details>
    </noscript>
  );
}
