import { useId } from 'react';
import { BarChart } from '~/features/analytics/charts/bar-chart';
import { NamedBars } from '~/features/analytics/charts/named-bars';
import { HeatMap } from '~/features/analytics/charts/heat-map';
import { LineChart } from '~/features/analytics/charts/line-chart';
import styles from './builder.module.css';
import { chartData, fittingCharts, heatData, type ReportAnswer, unitOf } from './chart-data';
import { partWords, todayOf } from './notes';
import { type ChartKind, isTime, type ReportState } from './state';
import { texts } from './texts';
import { titleOf } from './words';

interface ReportChartProps {
  state: ReportState;
  answer: ReportAnswer;
  addsUp: boolean;
  onChoose: (chart: ChartKind) => void;
}

function Drawn({
  state,
  answer,
  addsUp,
  kind,
  label,
}: Omit<ReportChartProps, 'onChoose'> & { kind: ChartKind; label: string }) {
  const unit = unitOf(answer);
  if (kind === 'heat') return <HeatMap {...heatData(state.by, answer.rows)} unit={unit} label={label} />;
  const data = chartData(state, answer.rows, addsUp, todayOf(answer));
  return (
    <>
      {kind === 'line' ? (
        <LineChart data={data} unit={unit} label={label} height={340} />
      ) : !state.by.some(isTime) ? (
        <NamedBars data={data} unit={unit} label={label} stacked={kind === 'stacked'} />
      ) : (
        <BarChart data={data} unit={unit} label={label} stacked={kind === 'stacked'} height={340} />
      )}
      {data.left > 0 && <p className="small soft">{texts.left(data.left)}</p>}
    </>
  );
}

/** A chart of the report's first measure, above its table. */
export function ReportChart({ state, answer, addsUp, onChoose }: ReportChartProps) {
  const fits = fittingCharts(state, addsUp);
  const kind = fits.find((each) => each === state.chart) ?? fits[0];
  const title = titleOf(state);
  const heading = useId();
  const note = partWords(state, answer);
  if (!kind || answer.rows.length === 0) {
    return (
      <section aria-labelledby={heading}>
        <h2 id={heading}>{title}</h2>
        {kind ? <p className="soft">{texts.nothing}</p> : <p className={styles.figure}>{answer.totals.m1.formatted}</p>}
      </section>
    );
  }
  return (
    <section className={styles.drawing} aria-labelledby={heading}>
      <div className={styles.drawingHead}>
        <h2 id={heading}>{title}</h2>
        <div className={styles.kinds} role="group" aria-label={texts.drawnAs}>
          {fits.toReversed().map((each) => (
            <button key={each} type="button" aria-pressed={each === kind} onClick={() => onChoose(each)}>
              {texts[each]}
            </button>
          ))}
        </div>
      </div>
      <Drawn
        state={state}
        answer={answer}
        addsUp={addsUp}
        kind={kind}
        label={`${title}. ${texts.rows}: ${answer.rowCount}.`}
      />
      {note && <p className="small soft">{note}</p>}
    </section>
  );
}
