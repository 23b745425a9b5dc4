import { useId } from 'react';
import { Bar, BarChart as Bars, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { useMedia } from '~/ui/use-media';
import styles from './chart.module.css';
import { paintOf, Patterns } from './paints';
import { axisLabel, ChartTooltip, Legend } from './pieces';
import { axisWords, type ChartData, type ChartUnit, chartKey, drawnComparison, ticksUpTo } from './series';

interface BarChartProps {
  data: ChartData;
  unit: ChartUnit;
  /** What it shows, in words. */
  label: string;
  stacked?: boolean;
  height?: number;
}

function highest({ labels, series, before }: ChartData, stacked: boolean | undefined): number {
  const sums = labels.map((_, place) => {
    const own = series.map(({ values }) => values[place] ?? 0);
    return stacked ? own.reduce((sum, value) => sum + Math.max(value, 0), 0) : Math.max(...own);
  });
  return Math.max(0, ...sums, ...(before?.values ?? []).map((value) => value ?? 0));
}

/**
 * Bars side by side, or each series on the one before. Names stand in a legend: beside the last bar there is no room for
 * them, being that of a period that has just begun.
 */
export function BarChart({ data, unit, label, stacked, height = 280 }: BarChartProps) {
  const id = useId();
  const wide = useMedia('(min-width: 630px)');
  const { labels, series } = data;
  const before = drawnComparison(data);
  const kinds = [...(before ? [before] : []), ...series];
  const shift = before ? 1 : 0;
  const rows = labels.map((name, place) => ({ name, ...kinds.map(({ values }) => values[place] ?? null) }));
  const least = Math.min(0, ...kinds.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const ticks = ticksUpTo(highest(data, stacked), least);
  const paint = (place: number) => ({ fill: place < shift ? `url(#${id}-before)` : paintOf(id, place - shift).fill });

  return (
    <div className={styles.chart}>
      <div role="img" aria-label={label}>
        <ResponsiveContainer width="100%" height={height} initialDimension={{ width: 600, height }}>
          <Bars
            key={chartKey(data)}
            data={rows}
            margin={{ top: 8, right: 8, bottom: 0, left: 0 }}
            barCategoryGap={stacked ? '28%' : '20%'}
            barGap={1}
            accessibilityLayer={false}
          >
            <Patterns id={id} />
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="name"
              tickFormatter={(name: string) => axisLabel(name, !wide && labels.length > 6)}
              tickLine={false}
              axisLine={false}
              minTickGap={4}
            />
            <YAxis
              ticks={ticks}
              domain={[ticks[0] ?? 0, ticks.at(-1) ?? 1]}
              tickFormatter={(value: number) => axisWords(value, unit)}
              tickLine={false}
              axisLine={false}
              width={48}
            />
            <Tooltip content={<ChartTooltip unit={unit} />} cursor={{ fill: 'var(--surface)' }} />
            {kinds.map(({ name }, place) => (
              <Bar
                key={name}
                dataKey={String(place)}
                name={name}
                fill={paint(place).fill}
                stroke="var(--paper)"
                strokeWidth={1}
                maxBarSize={56}
                isAnimationActive={false}
                {...(stacked && { stackId: 'all' })}
              />
            ))}
          </Bars>
        </ResponsiveContainer>
      </div>
      {kinds.length > 1 && <Legend names={kinds.map(({ name }) => name)} mark={paint} />}
    </div>
  );
}
