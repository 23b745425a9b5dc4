import { useMedia } from '~/ui/use-media';
import styles from './chart.module.css';
import { type ChartUnit, valueWords } from './series';

interface HeatMapProps {
  rows: readonly string[];
  columns: readonly string[];
  values: readonly (readonly (number | null)[])[];
  unit: ChartUnit;
  /** What it shows, in words. */
  label: string;
}

const short = (label: string) => label.replace(/:00$/, '');

/** Two dimensions against each other: the more, the darker. The exact values are the cells' titles and the table's. */
export function HeatMap({ rows, columns, values, unit, label }: HeatMapProps) {
  const roomy = useMedia('(min-width: 630px)');
  const most = Math.max(1e-9, ...values.flat().map((value) => value ?? 0));
  const every = columns.length > 12 ? 6 : 1;
  return (
    <div className={styles.chart}>
      <div role="img" aria-label={label}>
        <table className={styles.heat} role="presentation">
          <tbody>
            {rows.map((row, y) => (
              <tr key={row}>
                <th scope="row">{roomy ? row : row.slice(0, 3)}</th>
                {columns.map((column, x) => {
                  const value = values[y]?.[x] ?? null;
                  return (
                    // oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell of a picture, whose words are its title.
                    <td
                      key={column}
                      title={`${row}, ${column}: ${valueWords(value, unit)}`}
                      style={{ '--heat': Math.max(0, value ?? 0) / most }}
                    />
                  );
                })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <td aria-hidden="true" style={{ background: 'none' }} />
              {columns.map((column, x) => (
                <th key={column} scope="col">
                  {x % every === 0 && (roomy || every > 1 ? short(column) : column.slice(0, 3))}
                </th>
              ))}
            </tr>
          </tfoot>
        </table>
      </div>
      <p className={styles.scale} aria-hidden="true">
        <span>{valueWords(0, unit)}</span>
        <span />
        <span>{valueWords(most < 1e-6 ? 0 : most, unit)}</span>
      </p>
    </div>
  );
}
