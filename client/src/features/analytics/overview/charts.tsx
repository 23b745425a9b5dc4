import { BarChart } from '~/features/analytics/charts/bar-chart';
import { HeatMap } from '~/features/analytics/charts/heat-map';
import { LineChart } from '~/features/analytics/charts/line-chart';
import { largest, valueWords } from '~/features/analytics/charts/series';
import type { ReportRange } from '~/graphql/schema.generated';
import { calendarDayIn, formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Card, type CardTable } from './card';
import {
  useOverviewCategoriesQuery,
  useOverviewCustomersQuery,
  useOverviewFunnelQuery,
  useOverviewHoursQuery,
  useOverviewSalesQuery,
  useOverviewSoonSoldOutQuery,
} from './overview.generated';
import styles from './overview.module.css';
import { texts } from './texts';
import {
  busiestWords,
  capital,
  type Comparison,
  comparisonWords,
  funnelWords,
  type Preset,
  presetWords,
  salesWords,
  shareWords,
  stepWords,
} from './words';

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const clock = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
const MOST_DAYS = 30;
const once = { fetchPolicy: 'no-cache' } as const;
const unique = <Item,>(items: readonly Item[]): Item[] => [...new Set(items)];

/** The day on which it was counted, by the shop's clock. */
const dayOf = ({ asOf, timeZone }: { asOf: string; timeZone: string }) => calendarDayIn(timeZone, asOf);

interface PeriodProps {
  preset: Preset;
  versus: Comparison;
}

export function SalesChart({ preset, versus }: PeriodProps) {
  const range: ReportRange = { preset };
  const { data, error } = useOverviewSalesQuery({ variables: { range, versus }, ...once });
  const report = data?.admin?.analytics.report;
  const before = capital(comparisonWords(versus));
  const today = report ? dayOf(report.meta) : '';
  const rows = report?.rows ?? [];
  const compared = report?.totals.sales.versus;
  const words =
    report &&
    compared &&
    salesWords(
      {
        now: report.totals.sales.formatted,
        change: compared.change,
        changeWords: compared.formattedChange,
        days: compared.range.days,
        isPart: report.meta.isPart,
      },
      versus,
    );
  const table: CardTable | null | undefined = report && {
    heads: ['Day', 'Net sales', before],
    rows: rows.map(({ day, sales }) => [day?.label ?? '', sales.formatted, sales.before.formatted]),
  };
  const label = words ? words.sum + words.change + words.on : '';

  return (
    <Card
      title={texts.sales}
      error={error}
      table={table}
      className={styles.wide}
      sentence={
        words && (
          <>
            {words.sum}
            <strong>{words.change}</strong>
            {words.on}
          </>
        )
      }
    >
      <LineChart
        label={label}
        unit="MONEY"
        height={240}
        data={{
          labels: rows.map(({ day }) => day?.label ?? ''),
          series: [
            {
              name: presetWords(preset),
              values: rows.map(({ day, sales }) => ((day?.key ?? '') <= today ? Number(sales.amount) : null)),
            },
          ],
          before: {
            name: before,
            values: rows.map(({ sales }) => (sales.before.amount === null ? null : Number(sales.before.amount))),
          },
          left: 0,
        }}
      />
    </Card>
  );
}

export function FunnelChart({ preset }: Pick<PeriodProps, 'preset'>) {
  const { data, error } = useOverviewFunnelQuery({ variables: { range: { preset } }, ...once });
  const steps = data?.admin?.analytics.funnel?.steps;
  const most = Math.max(1, ...(steps ?? []).map(({ visits }) => visits));
  const table: CardTable | null | undefined = steps && {
    heads: ['Step', 'Visits', 'Of the step before'],
    rows: steps.map(({ name, visits, ofPrevious }) => [
      stepWords(name),
      formatNumber(visits),
      ofPrevious === null ? '–' : valueWords(Number(ofPrevious), 'PERCENT'),
    ]),
  };
  return (
    <Card
      title={texts.funnel}
      error={error}
      table={table}
      className={styles.narrow}
      sentence={steps && funnelWords(steps)}
    >
      <ol className={styles.funnel}>
        {steps?.map(({ name, visits }, place) => {
          const next = steps[place + 1]?.ofPrevious;
          return (
            <li key={name}>
              <p>
                <span>{stepWords(name)}</span>
                <span>{formatNumber(visits)}</span>
              </p>
              <div className={styles.track}>
                <div
                  className={place === steps.length - 1 ? styles.last : undefined}
                  style={{ '--share': visits / most }}
                />
              </div>
              {next != null && <p className="soft">{texts.goOn(Number(next).toFixed(1))}</p>}
            </li>
          );
        })}
      </ol>
    </Card>
  );
}

export function CategoryChart() {
  const { data, error } = useOverviewCategoriesQuery(once);
  const report = data?.admin?.analytics.report;
  const rows = report?.rows ?? [];
  const months = unique(rows.map(({ month }) => month?.label ?? ''));
  const named = unique(rows.map(({ category }) => category?.label ?? '')).map((name) => ({
    name,
    values: months.map((month) =>
      rows
        .filter((row) => row.month?.label === month && row.category?.label === name)
        .reduce((sum, { sales }) => sum + Number(sales.amount ?? 0), 0),
    ),
  }));
  const { series } = largest(named, true, 'All others');
  const sentence = shareWords(
    named.map(({ name, values }) => ({ name, sum: values.reduce((sum, each) => sum + each, 0) })),
  );
  const table: CardTable | null | undefined = report && {
    heads: ['Month', ...series.map(({ name }) => name)],
    rows: months.map((month, place) => [month, ...series.map(({ values }) => valueWords(values[place] ?? 0, 'MONEY'))]),
  };
  return (
    <Card
      title={texts.categories}
      period={texts.twelveMonths}
      error={error}
      table={table}
      className={styles.half}
      sentence={sentence}
    >
      <BarChart
        stacked
        label={sentence}
        unit="MONEY"
        height={240}
        data={{ labels: months, series, before: null, left: 0 }}
      />
    </Card>
  );
}

export function HoursChart() {
  const { data, error } = useOverviewHoursQuery(once);
  const report = data?.admin?.analytics.report;
  const cells = (report?.rows ?? []).map(({ weekday, hour, orders }) => ({
    row: weekday?.label ?? '',
    column: hour?.label ?? '',
    value: orders,
  }));
  const valueByCell = new Map(cells.map(({ row, column, value }) => [`${row} ${column}`, value]));
  const values = weekdays.map((day) => clock.map((hour) => valueByCell.get(`${day} ${hour}`) ?? 0));
  const sentence = busiestWords(cells);
  const table: CardTable | null | undefined = report && {
    heads: ['Hour', ...weekdays],
    rows: clock.map((hour, x) => [hour, ...weekdays.map((_, y) => formatNumber(values[y]?.[x] ?? 0))]),
  };
  return (
    <Card
      title={texts.hours}
      period={texts.ninetyDays}
      error={error}
      table={table}
      className={styles.half}
      sentence={sentence}
    >
      <HeatMap rows={weekdays} columns={clock} values={values} unit="COUNT" label={sentence} />
    </Card>
  );
}

export function CustomersChart({ preset }: Pick<PeriodProps, 'preset'>) {
  const { data, error } = useOverviewCustomersQuery({ variables: { range: { preset } }, ...once });
  const report = data?.admin?.analytics.report;
  const of = (key: string) => report?.rows.find(({ kind }) => kind?.key === key);
  const [fresh, returning] = [of('new'), of('returning')];
  const [first, again] = [fresh?.orders ?? 0, returning?.orders ?? 0];
  const all = first + again;
  const spent = [
    returning && `returning shoppers spend ${returning.average.formatted} an order`,
    fresh && `new ones ${returning ? '' : 'spend '}${fresh.average.formatted}${returning ? '' : ' an order'}`,
  ];
  const sentence = all > 0 ? `${capital(spent.filter(Boolean).join(', '))}.` : texts.noOrders;
  const table: CardTable | null | undefined = report && {
    heads: ['Shoppers', 'Orders', 'Average order value'],
    rows: report.rows.map(({ kind, orders, average }) => [kind?.label ?? '', formatNumber(orders), average.formatted]),
  };
  return (
    <Card title={texts.customers} error={error} table={table} className={styles.third} sentence={sentence}>
      {all > 0 && (
        <>
          <p className={styles.figure}>{Math.round((again * 100) / all)}% returning</p>
          <div className={styles.parts} aria-hidden="true">
            <div style={{ '--share': first / all }} />
            <div style={{ '--share': again / all }} />
          </div>
          <p className={styles.ends}>
            <span>{formatNumber(first)} new</span>
            <span>{formatNumber(again)} returning</span>
          </p>
        </>
      )}
    </Card>
  );
}

export function SoonSoldOut() {
  const { data, error } = useOverviewSoonSoldOutQuery(once);
  const report = data?.admin?.analytics.report;
  const rows = report?.rows ?? [];
  const table: CardTable | null | undefined = report && {
    heads: ['Variant', 'Left', 'Lasts'],
    rows: rows.map(({ variant, left, lasts }) => [variant?.label ?? '', left.formatted, lasts.formatted]),
  };
  const count = report?.rowCount ?? 0;
  const sentence =
    count === 0 ? (
      texts.nothingRunsOut
    ) : (
      <>
        {count === 1 ? 'One variant runs' : `${formatNumber(count)} variants run`} out within 30 days.{' '}
        <Link to="/admin/stock" className="link">
          See the stock
        </Link>
      </>
    );
  return (
    <Card
      title={texts.soonSoldOut}
      period={texts.thirtyDays}
      error={error}
      table={table}
      className={styles.twoThirds}
      sentence={sentence}
    >
      <ol className={styles.cover}>
        {rows.map(({ variant, left, lasts }) => (
          <li key={variant?.key}>
            <p>
              <span>{variant?.label}</span>
              <span>
                {left.formatted} left, {lasts.formatted === '1 days' ? '1 day' : lasts.formatted}
              </span>
            </p>
            <div className={styles.track}>
              <div style={{ '--share': Math.min(1, Number(lasts.amount ?? 0) / MOST_DAYS) }} />
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
