import { type ReactNode, useState } from 'react';
import type { Size } from '~/graphql/schema.generated';
import { SIZES } from '~/graphql/catalogue';
import { Checkbox } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { formatNumber } from '~/ui/format';
import styles from './editor.module.css';
import { cellOf, type EditorDraft, pieces, sumOf } from './editor-draft';
import type { Problems } from './editor-problems';
import { cell, type ColorDraft } from './product-rules';
import { moved } from './order';
import { Sortable, useSorted } from './sortable';

interface VariantGridProps {
  draft: EditorDraft;
  problems: Problems;
  onEdit: (edits: Partial<EditorDraft>) => void;
  onColor: (color: ColorDraft) => void;
}

const LOW = 3;

interface CellProps extends Omit<VariantGridProps, 'onColor'> {
  color: ColorDraft;
  size: Size;
  skus: boolean;
}

function GridCell({ draft, problems, onEdit, color, size, skus }: CellProps) {
  const at = cell(color, size);
  const { stock, sku } = cellOf(draft, color, size);
  const left = pieces(draft, color, size);
  const edit = (edits: { stock?: string; sku?: string }) =>
    onEdit({ cells: { ...draft.cells, [at]: { stock, sku, ...edits } } });

  return (
    <td>
      <input
        inputMode="numeric"
        className={left === 0 ? styles.none : left <= LOW ? styles.low : undefined}
        aria-label={`${color.name}, ${size}`}
        aria-invalid={problems[at] ? true : undefined}
        value={stock}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => edit({ stock: target.value.replace(/\D/g, '').slice(0, 7) })}
      />
      {skus ? (
        <input
          className={styles.skuField}
          aria-label={`SKU of ${color.name}, ${size}`}
          value={sku}
          placeholder="Made by itself"
          maxLength={64}
          onChange={({ target }) => edit({ sku: target.value })}
        />
      ) : (
        <span className={styles.sku}>{sku || 'new'}</span>
      )}
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

interface ColorRowProps extends VariantGridProps {
  color: ColorDraft;
  place: string;
  skus: boolean;
}

function ColorRow({ color, place, draft, problems, skus, onEdit, onColor }: ColorRowProps) {
  const { grip, item } = useSorted(color.key, { label: `Move ${color.name}, ${place}` });
  return (
    <tr {...item}>
      <th scope="row">
        <ColorHead color={color} grip={grip} onEdit={() => onColor(color)} />
      </th>
      {SIZES.map((size) =>
        draft.sizes.includes(size) ? (
          <GridCell
            key={size}
            draft={draft}
            problems={problems}
            onEdit={onEdit}
            color={color}
            size={size}
            skus={skus}
          />
        ) : (
          <td key={size} aria-label={`${color.name} is not made in ${size}`} />
        ),
      )}
      <td className={styles.sum}>{formatNumber(sumOf(draft, [color], draft.sizes))}</td>
    </tr>
  );
}

function toggled(sizes: readonly Size[], size: Size, on: boolean): Size[] {
  return SIZES.filter((one) => (one === size ? on : sizes.includes(one)));
}

/** Pieces and SKU of each color in each size: none stands dashed, 3 or fewer bold, sums at the edges. */
export function VariantGrid({ draft, problems, onEdit, onColor }: VariantGridProps) {
  const [skus, setSkus] = useState(false);
  const { colors, sizes } = draft;

  return (
    <>
      <Sortable inRows items={colors} onMove={(key, onto) => onEdit({ colors: moved(colors, key, onto) })}>
        <div className={styles.scroll}>
          <table className={styles.grid}>
            <caption className="visually-hidden">Stock and SKU by color and size</caption>
            <thead>
              <tr>
                <th scope="col">Color</th>
                {SIZES.map((size) => (
                  <th key={size} scope="col">
                    <Checkbox
                      checked={sizes.includes(size)}
                      onChange={({ target }) => onEdit({ sizes: toggled(sizes, size, target.checked) })}
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
                  place={`${at + 1} of ${colors.length}`}
                  draft={draft}
                  problems={problems}
                  skus={skus}
                  onEdit={onEdit}
                  onColor={onColor}
                />
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Sum</th>
                {SIZES.map((size) => (
                  <td key={size}>{sizes.includes(size) && formatNumber(sumOf(draft, colors, [size]))}</td>
                ))}
                <td className={styles.sum}>{formatNumber(sumOf(draft, colors, sizes))}</td>
              </tr>
            </tfoot>
          </table>
        </div>
      </Sortable>
      {problems['sizes'] && <ErrorNote>{problems['sizes']}</ErrorNote>}
      {problems['variants'] && <ErrorNote>{problems['variants']}</ErrorNote>}
      <Checkbox checked={skus} onChange={({ target }) => setSkus(target.checked)}>
        Edit SKUs
      </Checkbox>
    </>
  );
}
