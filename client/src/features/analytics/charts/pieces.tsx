import { usePlotArea, useYAxisScale } from 'recharts';
import styles from './chart.module.css';
import { apart, type ChartUnit, valueWords } from './series';

const LINE = 16;

interface EndLabel {
  name: string;
  /** Where it belongs, in the chart's unit. */
  value: number;
  before?: boolean;
}

/** Names beside the last values, moved apart where they would overlap. */
export function EndLabels({ labels }: { labels: readonly EndLabel[] }) {
  const scale = useYAxisScale();
  const area = usePlotArea();
  if (!scale || !area) return null;
  const heights = labels.map(({ value }) => Number(scale(value) ?? 0));
  const places = apart(heights, LINE, area.y + 4, area.y + area.height);
  return (
    <g aria-hidden="true">
      {labels.map(({ name, before }, index) => (
        <text
          key={name}
          x={area.x + area.width + 8}
          y={places[index]}
          dy="0.35em"
          className={`${styles.end} ${before ? styles.endBefore : ''}`}
        >
          {name.length > 18 ? `${name.slice(0, 17)}…` : name}
        </text>
      ))}
    </g>
  );
}

interface ChartTooltipProps {
  active?: boolean;
  label?: string | number | undefined;
  payload?: readonly { name?: unknown; value?: unknown }[];
  unit: ChartUnit;
}

/** The tooltip of the point under the pointer. */
export function ChartTooltip({ active, label, payload, unit }: ChartTooltipProps) {
  if (!active || !payload?.length) return null;
  return (
    <div className={styles.told}>
      <strong>{label}</strong>
      <dl>
        {payload.map(({ name, value }) => (
          <div key={String(name)} style={{ display: 'contents' }}>
            <dt>{String(name)}</dt>
            <dd>{valueWords(typeof value === 'number' ? value : null, unit)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

interface LegendProps {
  names: readonly string[];
  mark: (place: number) => { fill?: string; stroke?: string; dash?: string | undefined };
}

/** Names below, where there is no room beside the marks. */
export function Legend({ names, mark }: LegendProps) {
  return (
    <ul className={styles.legend} aria-hidden="true">
      {names.map((name, place) => {
        const { fill, stroke, dash } = mark(place);
        return (
          <li key={name}>
            <svg width="16" height="12">
              {fill && <rect width="16" height="12" fill={fill} />}
              {stroke && <path d="M0 6h16" stroke={stroke} strokeWidth="2" strokeDasharray={dash} fill="none" />}
            </svg>
            {name}
          </li>
        );
      })}
    </ul>
  );
}

/** A label as short as an axis needs it: "Nov 2026" is "Nov", "Nov 1, 2026" is "Nov 1". */
export function axisLabel(label: string, narrow: boolean): string {
  const [, month, day] = /^([A-Z][a-z]{2})(?: (\d\d?),)? \d{4}$/.exec(label) ?? [];
  if (!month) return label.length > 14 ? `${label.slice(0, 13)}…` : label;
  if (day) return `${month} ${day}`;
  return narrow ? month.charAt(0) : month;
}
