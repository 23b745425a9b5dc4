import type { Size } from '~/graphql/catalogue';
import { GarmentOutline } from './garment-outline';
import { letterOf, type SizeTable } from './measurements';
import styles from './size-chart.module.css';
import { formatLength, type Units, useUnits } from './units';

const choices = [
  { units: 'in', label: 'Inches' },
  { units: 'cm', label: 'Centimeters' },
] as const;

/** Inches or centimeters, for every table of the page. */
export function UnitsToggle() {
  const [units, choose] = useUnits();
  return (
    <div className={styles.units} role="group" aria-label="Units">
      {choices.map((choice) => (
        <button
          key={choice.units}
          type="button"
          aria-pressed={choice.units === units}
          onClick={() => choose(choice.units)}
        >
          {choice.label}
        </button>
      ))}
    </div>
  );
}

interface SizeChartProps {
  table: SizeTable;
  /** Those that the product is made in. */
  sizes: readonly Size[];
  chosen: Size | null;
}

/** The drawing and, beside or below it, the table; the chosen size's column is marked. */
export function SizeChart({ table, sizes, chosen }: SizeChartProps) {
  const [units] = useUnits();
  return (
    <div className={styles.frame}>
      <div className={styles.chart}>
        <GarmentOutline outline={table.outline} points={table.rows.map(({ point }) => point)} />
        <div>
          <div className={styles.scroller}>
            <Table table={table} sizes={sizes} chosen={chosen} units={units} />
          </div>
          <p className={styles.note}>
            {table.how} Between two sizes? {table.between}
          </p>
        </div>
      </div>
    </div>
  );
}

function Table({ table, sizes, chosen, units }: SizeChartProps & { units: Units }) {
  const mark = (size: Size) => (size === chosen ? '' : undefined);
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">
        Measurements of the garment in {units === 'in' ? 'inches' : 'centimeters'}
      </caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">Measurement</span>
          </th>
          {sizes.map((size) => (
            <th key={size} scope="col" data-chosen={mark(size)}>
              {size}
              {size === chosen && <span className="visually-hidden">, your size</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map(({ point, name, micrometers }, index) => (
          <tr key={point}>
            <th scope="row">
              <span className="soft">{letterOf(index)}</span> {name}
            </th>
            {sizes.map((size) => (
              <td key={size} data-chosen={mark(size)}>
                {micrometers[size] === undefined ? '–' : formatLength(micrometers[size], units)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
