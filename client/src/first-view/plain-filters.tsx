import styles from '~/features/catalog/list-bar.module.css';
import { SIZES } from '~/graphql/catalogue';
import type { PlainFiltersProps } from '~/features/catalog/plain-filters';
import { Button, ButtonLink } from '~/ui/button';
import { Checkbox } from '~/ui/choice';

/** The form that takes the place of the list's bar where there is no script. */
export function PlainFilters({ list: { narrowing, sort, sorts, words }, facets, saleOnly }: PlainFiltersProps) {
  const slug = sorts.find(({ id }) => id === sort)?.slug;
  return (
    <noscript>
      <details className={`page ${styles.plain}`}>
        <summary>Filter and order</summary>
        <form method="get" className={styles.plainForm}>
          {words !== null && <input type="hidden" name="q" value={words} />}
          <fieldset>
            <legend>Size</legend>
            {SIZES.map((size) => (
              <Checkbox key={size} name="size" value={size} defaultChecked={narrowing.sizes.includes(size)}>
                {size}
              </Checkbox>
            ))}
          </fieldset>
          <fieldset>
            <legend>Color</legend>
            {facets?.colors.map(({ name }) => (
              <Checkbox key={name} name="color" value={name} defaultChecked={narrowing.colors.includes(name)}>
                {name}
              </Checkbox>
            ))}
          </fieldset>
          <fieldset>
            <legend>Price</legend>
            <label>
              From, $ <input name="from" inputMode="decimal" defaultValue={narrowing.priceFrom ?? ''} />
            </label>
            <label>
              To, $ <input name="to" inputMode="decimal" defaultValue={narrowing.priceTo ?? ''} />
            </label>
          </fieldset>
          <fieldset>
            <legend>Only</legend>
            <Checkbox name="stock" value="in" defaultChecked={narrowing.inStock}>
              In stock
            </Checkbox>
            {!saleOnly && (
              <Checkbox name="sale" value="on" defaultChecked={narrowing.onSale}>
                On sale
              </Checkbox>
            )}
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
