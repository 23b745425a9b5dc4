import { useState } from 'react';
import { reasons } from './bulk-fields';
import { texts } from './texts';
import type { AdjustmentReason } from '~/graphql/schema.generated';
import { Checkbox } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { Field, Select } from '~/ui/field';
import { formatNumber } from '~/ui/format';
import { ColorDialog } from './color-dialog';
import { sumOf, withExactStock } from './product-draft';
import styles from './product-form.module.css';
import { NewColor } from './new-color';
import { Section } from './section';
import type { CategorySizes } from './sizes-of-category';
import type { ProductForm } from './use-product-draft';
import { VariantGrid } from './variant-grid';
import { stockChanges } from './variant-fields';

function StockReason({ draft, edit }: ProductForm) {
  return (
    <div className={styles.pair}>
      <Select
        label="Why is the stock another one?"
        value={draft.stockReason}
        onChange={({ target }) => edit({ stockReason: target.value as AdjustmentReason })}
      >
        {Object.entries(reasons).map(([reason, words]) => (
          <option key={reason} value={reason}>
            {words}
          </option>
        ))}
      </Select>
      <Field
        label="Note (optional)"
        value={draft.stockNote}
        maxLength={200}
        onChange={({ target }) => edit({ stockNote: target.value })}
      />
    </div>
  );
}

/** The stock of a new product: in all, or of each color and size. */
function FirstStock({ draft, edit, problems }: ProductForm) {
  const error = problems['stock'];
  return (
    <>
      <div className={styles.pair}>
        {draft.isExact ? (
          <Field label="Stock" value={sumOf(draft)} readOnly error={error} />
        ) : (
          <Field
            key="typed"
            label="Stock"
            inputMode="numeric"
            maxLength={7}
            note="Pieces in all, spread evenly over colors and sizes"
            value={draft.stock}
            error={error}
            onChange={({ target }) => edit({ stock: target.value })}
          />
        )}
      </div>
      <Checkbox checked={draft.isExact} onChange={({ target }) => edit(withExactStock(draft, target.checked))}>
        Set the stock of each color and size
      </Checkbox>
    </>
  );
}

/** Saved colors that were taken off sale, now or before. */
function ColorsOff({ product, draft, edit }: ProductForm) {
  const off = product?.colors.filter(({ id }) => draft.colors.every(({ key }) => key !== id)) ?? [];
  if (off.length === 0) return null;
  return (
    <ul className={styles.list} aria-label="Colors taken off">
      {off.map(({ id, name, hex, sold }) => (
        <li key={id}>
          {name} is off sale{sold > 0 && `; ${formatNumber(sold)} were sold`}.{' '}
          <button
            type="button"
            className="link small"
            aria-label={`Put ${name} back`}
            onClick={() => edit({ colors: [...draft.colors, { key: id, name, hex }] })}
          >
            Put back
          </button>
        </li>
      ))}
    </ul>
  );
}

function summary({ draft }: ProductForm): string {
  const variants = draft.colors.length * draft.sizes.length;
  return `${formatNumber(sumOf(draft))} in stock, ${variants} ${variants === 1 ? 'variant' : 'variants'}`;
}

interface ColorsAndSizesProps {
  form: ProductForm;
  /** What the category's products can be made in. */
  made: CategorySizes;
  heading: 'h2' | 'h3';
}

/** Colors, sizes, and the stock of each color in each size. */
export function ColorsAndSizes({ form, made, heading }: ColorsAndSizesProps) {
  const { product, base, draft, edit, problems } = form;
  const [colorKey, setColorKey] = useState<string | null>(null);
  const color = draft.colors.find(({ key }) => key === colorKey);
  const saved = product?.colors.find(({ id }) => id === colorKey);

  return (
    <Section heading={heading} title={texts.colorsAndSizes} aside={summary(form)}>
      <VariantGrid
        draft={draft}
        made={made}
        problems={problems}
        hasSkus={product !== null}
        onEdit={edit}
        onColor={({ key }) => setColorKey(key)}
      />
      {product && problems['stock'] && <ErrorNote>{problems['stock']}</ErrorNote>}
      {product && stockChanges(base, draft).length > 0 && <StockReason {...form} />}
      <NewColor onAdd={(added) => edit({ colors: [...draft.colors, added] })} />
      {!product && <FirstStock {...form} />}
      <ColorsOff {...form} />
      {color && (
        <ColorDialog
          color={color}
          draft={draft}
          sold={saved?.sold ?? 0}
          isNew={!saved}
          onEdit={edit}
          onClose={() => setColorKey(null)}
        />
      )}
    </Section>
  );
}
