import { useId } from 'react';
import {
  CartesianGrid,
  Line,
  LineChart as Lines,
  ReferenceDot,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts';
import { useMedia } from '~/ui/use-media';
import styles from './chart.module.css';
import { paintOf } from './paints';
import { axisLabel, ChartTooltip, EndLabels, Legend } from './pieces';
import { axisWords, type ChartData, type ChartUnit, chartKey, drawnComparison, hasValues, ticksUpTo } from './series';

interface LineChartProps {
  data: ChartData;
  unit: ChartUnit;
  /** What it shows, in words. */
  label: string;
  height?: number;
}

const lastOf = (values: readonly (number | null)[]) => values.findLast((value) => value !== null) ?? 0;

/** Lines over time: ink is now, dashes are before. */
export function LineChart({ data, unit, label, height = 280 }: LineChartProps) {
  const id = useId();
  const roomy = useMedia('(min-width: 630px)');
  const { labels, series } = data;
  const before = drawnComparison(data);
  const lines = [...series, ...(before ? [before] : [])];
  const rows = labels.map((name, place) => ({ name, ...lines.map(({ values }) => values[place] ?? null) }));
  const values = lines.flatMap((line) => line.values.map((value) => value ?? 0));
  const ticks = ticksUpTo(Math.max(...values), Math.min(...values));
  const paint = (place: number) =>
    place < series.length ? paintOf(id, place) : { stroke: 'var(--ink-soft)', dash: '3 3' };
  const [only] = series;
  const end = series.length === 1 && only ? only.values.findLastIndex((value) => value !== null) : -1;

  return (
    <div className={styles.chart}>
      <div role="img" aria-label={label}>
        <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 600, height }}>
          <Lines
            key={chartKey(data)}
            data={rows}
            margin={{ top: 8, right: roomy ? 116 : 8, bottom: 0, left: 0 }}
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="name"
              tickFormatter={(name: string) => axisLabel(name, !roomy && labels.length > 6)}
              tickLine={false}
              axisLine={false}
              minTickGap={roomy ? 48 : 32}
              interval="preserveStart"
            />
            <YAxis
              ticks={ticks}
              domain={[ticks[0] ?? 0, ticks.at(-1) ?? 1]}
              tickFormatter={(value: number) => axisWords(value, unit)}
              tickLine={false}
              axisLine={false}
              width={48}
            />
            <Tooltip content={<ChartTooltip unit={unit} />} cursor={{ stroke: 'var(--control)' }} />
            {lines.toReversed().map(({ name }, index) => {
              const place = lines.length - 1 - index;
              const { stroke, dash } = paint(place);
              return (
                <Line
                  key={name}
                  type="linear"
                  dataKey={String(place)}
                  name={name}
                  stroke={stroke}
                  strokeWidth={place < series.length ? 2 : 1.25}
                  strokeDasharray={dash ?? ''}
                  dot={labels.length === 1}
                  activeDot={{ r: 3 }}
                  isAnimationActive={false}
                />
              );
            })}
            {end >= 0 && (
              <ReferenceDot x={labels[end] ?? ''} y={only?.values[end] ?? 0} r={4} fill="var(--ink)" stroke="none" />
            )}
            {roomy && (
              <EndLabels
                labels={lines.filter(hasValues).map((line) => ({
                  name: line.name,
                  value: lastOf(line.values),
                  before: line === before,
                }))}
              />
            )}
          </Lines>
        </ResponsiveContainer>
      </div>
      {!roomy && lines.length > 1 && <Legend names={lines.map(({ name }) => name)} mark={paint} />}
    </div>
  );
}
