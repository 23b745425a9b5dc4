import { useId } from 'react';
import styles from './chart.module.css';
import { paintOf, Patterns } from './paints';
import { Legend } from './pieces';
import { type ChartData, type ChartUnit, drawnComparison, valueWords } from './series';

interface NamedBarsProps {
  data: ChartData;
  unit: ChartUnit;
  /** What it shows, in words. */
  label: string;
  stacked?: boolean;
}

interface Bar {
  kind: number;
  from: number;
  to: number;
  words: string;
}

/** Where the bars of a place begin and end: each at nothing, or on the end of the one before it. */
function barsOf(values: readonly (number | null)[], unit: ChartUnit, stacked: boolean): Bar[] {
  let [above, below] = [0, 0];
  return values.map((value, kind) => {
    const amount = value ?? 0;
    const from = stacked ? (amount < 0 ? below : above) : 0;
    if (amount < 0) below += amount;
    else above += amount;
    return { kind, from, to: from + amount, words: valueWords(value, unit) };
  });
}

const sumOf = (values: readonly (number | null)[]) => values.reduce<number>((sum, value) => sum + (value ?? 0), 0);

/**
 * Lying bars, each beside its name and its value: names of products are too long to stand below bars. What is higher
 * than its place scrolls.
 */
export function NamedBars({ data, unit, label, stacked = false }: NamedBarsProps) {
  const id = useId();
  const { labels, series } = data;
  const before = drawnComparison(data);
  const kinds = [...series, ...(before ? [before] : [])];
  const paint = (kind: number) => ({ fill: kind < series.length ? paintOf(id, kind).fill : `url(#${id}-before)` });
  const rows = labels.map((name, place) => {
    const values = kinds.map((kind) => kind.values[place] ?? null);
    return { name, values, bars: barsOf(values, unit, stacked) };
  });
  const ends = rows.flatMap(({ bars }) => bars.map(({ to }) => to));
  const [least, most] = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const titled = (kind: number, words: string) => (kinds.length > 1 ? `${kinds[kind]?.name}: ${words}` : words);
  const share = (value: number) => `${(value / (most - least || 1)) * 100}%`;

  return (
    <div className={styles.chart}>
      <svg width="0" height="0" className={styles.patterns} aria-hidden="true">
        <Patterns id={id} />
      </svg>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- It scrolls by the arrow keys. */}
      <div className={styles.names} role="region" aria-label={label} tabIndex={0}>
        <ul>
          {rows.map(({ name, values, bars }) => (
            <li key={name}>
              <span>{name}</span>
              {(stacked ? [bars] : bars.map((bar) => [bar])).map((line, place) => (
                <div key={place} className={styles.line}>
                  <svg height="14" aria-hidden="true">
                    {line.map(({ kind, from, to, words }) => (
                      <rect
                        key={kind}
                        x={share(Math.min(from, to) - least)}
                        width={share(Math.abs(to - from))}
                        height="14"
                        {...paint(kind)}
                      >
                        <title>{titled(kind, words)}</title>
                      </rect>
                    ))}
                  </svg>
                  <span>
                    {!stacked && kinds.length > 1 && <span className="visually-hidden">{kinds[place]?.name}: </span>}
                    {stacked ? valueWords(sumOf(values), unit) : line[0]?.words}
                  </span>
                </div>
              ))}
            </li>
          ))}
        </ul>
      </div>
      {kinds.length > 1 && <Legend names={kinds.map(({ name }) => name)} mark={paint} />}
    </div>
  );
}
