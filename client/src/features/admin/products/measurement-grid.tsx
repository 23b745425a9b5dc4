import { pointName } from '~/features/admin/point-name';
import type { MeasurementPoint } from '~/graphql/schema.generated';
import { ErrorNote } from '~/ui/error-note';
import { Segments } from '~/ui/segments';
import type { ProductDraft } from './product-draft';
import type { Problems } from './product-field';
import styles from './product-form.module.css';
import { blockOf, inUnits, lengthKey, parseLength, withBlock } from './measurement-draft';

interface MeasurementGridProps {
  draft: ProductDraft;
  /** Those of the chosen kind. */
  points: readonly MeasurementPoint[];
  problems: Problems;
  onEdit: (edits: Partial<ProductDraft>) => void;
}

const units = [
  { value: 'in', label: 'Inches' },
  { value: 'cm', label: 'Centimeters' },
] as const;

/** The finished garment's measurements by point and size, typed or pasted as a block. An empty cell is not measured. */
export function MeasurementGrid({ draft, points, problems, onEdit }: MeasurementGridProps) {
  return (
    <>
      <Segments
        label="Units"
        options={units}
        chosen={draft.lengthUnits}
        onChoose={(lengthUnits) => onEdit({ lengthUnits, lengths: inUnits(draft.lengths, lengthUnits) })}
      />
      <div className={styles.scroll}>
        <table className={styles.grid}>
          <caption className="visually-hidden">Measurements by point and size</caption>
          <thead>
            <tr>
              <th scope="col">Point</th>
              {draft.sizes.map((size) => (
                <th key={size} scope="col">
                  {size}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {points.map((point, row) => (
              <tr key={point}>
                <th scope="row">{pointName(point)}</th>
                {draft.sizes.map((size, column) => {
                  const key = lengthKey(point, size);
                  const problem = problems[key];
                  return (
                    <td key={size}>
                      <input
                        inputMode="decimal"
                        maxLength={8}
                        aria-label={`${pointName(point)}, ${size}`}
                        aria-invalid={problem ? true : undefined}
                        aria-describedby={problem ? key : undefined}
                        value={draft.lengths[key]?.typed ?? ''}
                        onPaste={(event) => {
                          const block = blockOf(event.clipboardData.getData('text/plain'));
                          if (!block) return;
                          event.preventDefault();
                          onEdit({
                            lengths: withBlock(
                              draft.lengths,
                              block,
                              points.slice(row),
                              draft.sizes.slice(column),
                              draft.lengthUnits,
                            ),
                          });
                        }}
                        onChange={({ target: { value: typed } }) =>
                          onEdit({
                            lengths: {
                              ...draft.lengths,
                              [key]: { typed, micrometers: parseLength(typed, draft.lengthUnits) },
                            },
                          })
                        }
                      />
                      {problem && <ErrorNote id={key}>{problem}</ErrorNote>}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
