import { reorder } from '~/features/admin/reorder';
import { Sortable, useSorted } from '~/features/admin/sortable';
import { type ReactNode, useState } from 'react';
import type { Size } from '~/graphql/catalogue';
import { Checkbox } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { formatNumber } from '~/ui/format';
import {
  type CellDraft,
  cellKey,
  cellOf,
  cellsOf,
  type ColorDraft,
  piecesOf,
  type ProductDraft,
  sumOf,
  toggledSize,
} from './product-draft';
import type { Problems } from './product-field';
import styles from './product-form.module.css';
import { SizePicker } from './size-picker';
import type { CategorySizes } from './sizes-of-category';

interface VariantGridProps {
  draft: ProductDraft;
  /** What the category's products can be made in. */
  made: CategorySizes;
  problems: Problems;
  /** A new product gets its SKUs by itself. */
  hasSkus: boolean;
  onEdit: (edits: Partial<ProductDraft>) => void;
  onColor: (color: ColorDraft) => void;
}

const LOW = 3;

interface CellProps extends Omit<VariantGridProps, 'onColor' | 'made'> {
  color: ColorDraft;
  size: Size;
  editsSkus: boolean;
}

function Sku({
  color,
  size,
  sku,
  onChange,
}: Pick<CellProps, 'color' | 'size'> & { sku: string; onChange: (sku: string) => void }) {
  return (
    <input
      className={styles.skuField}
      aria-label={`SKU of ${color.name}, ${size}`}
      value={sku}
      placeholder="Made by itself"
      maxLength={64}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function GridCell({ draft, problems, hasSkus, onEdit, color, size, editsSkus }: CellProps) {
  const key = cellKey(color, size);
  const cell = cellOf(draft, color, size);
  const left = piecesOf(draft, color, size);
  const edit = (edits: Partial<CellDraft>) => onEdit({ cells: { ...cellsOf(draft), [key]: { ...cell, ...edits } } });

  if (!draft.isExact) return <td>{formatNumber(left)}</td>;
  return (
    <td>
      <input
        inputMode="numeric"
        className={left === 0 ? styles.none : left <= LOW ? styles.low : undefined}
        aria-label={`${color.name}, ${size}`}
        aria-invalid={problems[`stock.${key}`] ? true : undefined}
        value={cell.stock}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => edit({ stock: target.value.replace(/\D/g, '').slice(0, 7) })}
      />
      {hasSkus && editsSkus && <Sku color={color} size={size} sku={cell.sku} onChange={(sku) => edit({ sku })} />}
      {hasSkus && !editsSkus && <span className={styles.sku}>{cell.sku || 'new'}</span>}
    </td>
  );
}

interface ColorHeadProps {
  color: ColorDraft;
  /** What it is moved by. */
  grip: ReactNode;
  onEdit: () => void;
}

function ColorHead({ color, grip, onEdit }: ColorHeadProps) {
  return (
    <span className={styles.color}>
      {grip}
      <span className={styles.cloth} style={{ '--cloth': color.hex }} />
      <span>
        {color.name}
        <span className="least soft">{color.hex}</span>
        <button type="button" className="link least" aria-label={`Edit color ${color.name}`} onClick={onEdit}>
          Edit
        </button>
      </span>
    </span>
  );
}

interface ColorRowProps extends Omit<VariantGridProps, 'made'> {
  color: ColorDraft;
  columns: readonly Size[];
  place: string;
  editsSkus: boolean;
}

function ColorRow({ color, columns, place, onColor, ...cell }: ColorRowProps) {
  const { draft } = cell;
  const { grip, item } = useSorted(color.key, { label: `Move ${color.name}, ${place}` });
  return (
    <tr {...item}>
      <th scope="row">
        <ColorHead color={color} grip={grip} onEdit={() => onColor(color)} />
      </th>
      {columns.map((size) =>
        draft.sizes.includes(size) ? (
          <GridCell key={size} {...cell} color={color} size={size} />
        ) : (
          <td key={size} aria-label={`${color.name} is not made in ${size}`} />
        ),
      )}
      <td className={styles.sum}>{formatNumber(sumOf(draft, [color], draft.sizes))}</td>
    </tr>
  );
}

/** Pieces and SKU of each color in each size: none stands dashed, 3 or fewer bold, sums at the edges. */
export function VariantGrid({ draft, made, problems, hasSkus, onEdit, onColor }: VariantGridProps) {
  const [editsSkus, setEditsSkus] = useState(false);
  const { colors, sizes } = draft;
  // Of two axes, only what is made has a column: all together would be dozens.
  const all = [...new Set([...made.sizes, ...sizes])];
  const columns = made.axes.length > 1 ? all.filter((size) => sizes.includes(size)) : all;

  return (
    <>
      <SizePicker made={made} sizes={sizes} onEdit={onEdit} />
      <Sortable inRows items={colors} onMove={(key, onto) => onEdit({ colors: reorder(colors, key, onto) })}>
        <div className={styles.scroll}>
          <table className={styles.grid}>
            <caption className="visually-hidden">{hasSkus ? 'Stock and SKU' : 'Stock'} by color and size</caption>
            <thead>
              <tr>
                <th scope="col">Color</th>
                {columns.map((size) => (
                  <th key={size} scope="col">
                    <Checkbox
                      checked={sizes.includes(size)}
                      onChange={({ target }) => onEdit({ sizes: toggledSize(made.sizes, sizes, size, target.checked) })}
                    >
                      {size}
                    </Checkbox>
                  </th>
                ))}
                <th scope="col" className={styles.sum}>
                  Sum
                </th>
              </tr>
            </thead>
            <tbody>
              {colors.map((color, at) => (
                <ColorRow
                  key={color.key}
                  color={color}
                  columns={columns}
                  place={`${at + 1} of ${colors.length}`}
                  draft={draft}
                  problems={problems}
                  hasSkus={hasSkus}
                  editsSkus={editsSkus}
                  onEdit={onEdit}
                  onColor={onColor}
                />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Sum</th>
                {columns.map((size) => (
                  <td key={size}>{sizes.includes(size) && formatNumber(sumOf(draft, colors, [size]))}</td>
                ))}
                <td className={styles.sum}>{formatNumber(sumOf(draft, colors, sizes))}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      </Sortable>
      {problems['colors'] && <ErrorNote>{problems['colors']}</ErrorNote>}
      {problems['sizes'] && <ErrorNote>{problems['sizes']}</ErrorNote>}
      {hasSkus && (
        <Checkbox checked={editsSkus} onChange={({ target }) => setEditsSkus(target.checked)}>
          Edit SKUs
        </Checkbox>
      )}
    </>
  );
}
