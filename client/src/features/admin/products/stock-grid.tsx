import type { Size } from '~/graphql/schema.generated';
import styles from './product-form.module.css';
import { cell, type ColorDraft, sumOf } from './product-rules';

interface StockGridProps {
  colors: ColorDraft[];
  sizes: Size[];
  grid: Record<string, string>;
  onChange: (grid: Record<string, string>) => void;
}

/** Pieces of each color in each size. */
export function StockGrid({ colors, sizes, grid, onChange }: StockGridProps) {
  if (colors.length === 0 || sizes.length === 0) return <p className="small soft">Add colors and sizes first.</p>;
  return (
    <div className={styles.scroll}>
      <table className={styles.grid}>
        <caption className="visually-hidden">Stock by color and size</caption>
        <thead>
          <tr>
            <th scope="col">Color</th>
            {sizes.map((size) => (
              <th key={size} scope="col">
                {size}
              </th>
            ))}
            <th scope="col">Sum</th>
          </tr>
        </thead>
        <tbody>
          {colors.map((color) => (
            <tr key={color.key}>
              <th scope="row">{color.name}</th>
              {sizes.map((size) => (
                <td key={size}>
                  <input
                    inputMode="numeric"
                    aria-label={`${color.name}, ${size}`}
                    value={grid[cell(color, size)] ?? ''}
                    placeholder="0"
                    onChange={({ target }) =>
                      onChange({ ...grid, [cell(color, size)]: target.value.replace(/\D/g, '') })
                    }
                  />
                </td>
              ))}
              <td className={styles.sum}>{sumOf({ colors: [color], sizes, grid })}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Sum</th>
            {sizes.map((size) => (
              <td key={size}>{sumOf({ colors, sizes: [size], grid })}</td>
            ))}
            <td className={styles.sum}>{sumOf({ colors, sizes, grid })}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  );
}
