import type { Size } from '~/graphql/catalogue';
import type { ProductDraft } from './product-draft';
import { toggledSize } from './product-draft';
import styles from './product-form.module.css';
import type { CategorySizes } from './sizes-of-category';

interface SizePickerProps {
  made: CategorySizes;
  sizes: readonly Size[];
  onEdit: (edits: Partial<ProductDraft>) => void;
}

/** Which values of two axes are made together; each is a column of the grid below. */
export function SizePicker({ made, sizes, onEdit }: SizePickerProps) {
  const [first, second] = made.axes;
  if (!first || !second) return null;
  return (
    <div className={styles.scroll}>
      <table className={styles.grid}>
        <caption className="visually-hidden">
          Sizes by {first.name} and {second.name}
        </caption>
        <thead>
          <tr>
            <th scope="col">
              {first.name} and {second.name}
            </th>
            {second.values.map((value) => (
              <th key={value} scope="col">
                {value}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first.values.map((row) => (
            <tr key={row}>
              <th scope="row">{row}</th>
              {second.values.map((column) => {
                const size = `${row} ${column}`;
                return (
                  <td key={column}>
                    <input
                      type="checkbox"
                      aria-label={size}
                      checked={sizes.includes(size)}
                      onChange={({ target }) => onEdit({ sizes: toggledSize(made.sizes, sizes, size, target.checked) })}
                    />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
