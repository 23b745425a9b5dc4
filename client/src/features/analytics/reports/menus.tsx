import { type FormEvent, useState } from 'react';
import type { ReportDimension, ReportMeasure } from '~/graphql/schema.generated';
import { Button } from '~/ui/button';
import { Field, Select } from '~/ui/field';
import styles from './builder.module.css';
import { dimensionRefusal, type Guide, measureRefusal } from './fit';
import { isTime, periods, presets, type Range, type ReportState, type Unit, units } from './state';
import { texts } from './texts';
import { capitalized, comparisonWords, dimensionWords, rangeWords } from './words';
import { Choice } from './word';

const TOPS = [5, 10, 20];

interface MeasureChoicesProps {
  guide: Guide;
  state: ReportState;
  chosen?: ReportMeasure;
  onChoose: (measure: ReportMeasure) => void;
}

/** Every measure that is not in the report yet. */
export function MeasureChoices({ guide, state, chosen, onChoose }: MeasureChoicesProps) {
  const open = guide.measures.filter(({ name }) => name === chosen || !state.measures.includes(name));
  return open.map(({ name, label, formula }) => (
    <Choice
      key={name}
      chosen={name === chosen}
      refusal={measureRefusal(guide, state, name)}
      note={formula}
      onChoose={() => onChoose(name)}
    >
      {label}
    </Choice>
  ));
}

interface DimensionChoicesProps {
  guide: Guide;
  state: ReportState;
  chosen?: ReportDimension;
  onChoose: (dimension: ReportDimension) => void;
}

/** Every dimension that is not in the report yet. */
export function DimensionChoices({ guide, state, chosen, onChoose }: DimensionChoicesProps) {
  const open = guide.dimensions.filter(({ name }) => name === chosen || !state.by.includes(name));
  return open.map(({ name, label }) => (
    <Choice
      key={name}
      chosen={name === chosen}
      refusal={dimensionRefusal(guide, state, name)}
      onChoose={() => onChoose(name)}
    >
      {label}
    </Choice>
  ));
}

interface TopChoicesProps {
  state: ReportState;
  dimension: ReportDimension;
  onChoose: (top: ReportState['top']) => void;
}

/** How many members of a dimension keep a row of their own. */
export function TopChoices({ state, dimension, onChoose }: TopChoicesProps) {
  if (isTime(dimension)) return null;
  const count = state.top?.of === dimension ? state.top.count : null;
  return (
    <>
      <p className={styles.subhead}>{capitalized(dimensionWords(dimension))}</p>
      <Choice chosen={count === null} onChoose={() => onChoose(state.top?.of === dimension ? null : state.top)}>
        {texts.all}
      </Choice>
      {TOPS.map((each) => (
        <Choice key={each} chosen={count === each} onChoose={() => onChoose({ count: each, of: dimension })}>
          {texts.top(each)}
        </Choice>
      ))}
    </>
  );
}

interface PeriodChoicesProps {
  range: Range;
  onChoose: (range: Range) => void;
}

function LastForm({ range, onChoose }: PeriodChoicesProps) {
  const initial = range.kind === 'last' ? range : { count: 6, unit: 'months' as const };
  const [count, setCount] = useState(String(initial.count));
  const [unit, setUnit] = useState<Unit>(initial.unit);

  function submit(event: FormEvent) {
    event.preventDefault();
    onChoose({ kind: 'last', count: Math.min(3700, Math.max(1, Math.round(Number(count)) || 1)), unit });
  }

  return (
    <form className={styles.inline} onSubmit={submit}>
      <Field
        label={texts.last}
        type="number"
        min={1}
        max={3700}
        value={count}
        onChange={({ target }) => setCount(target.value)}
      />
      <Select
        label={texts.period}
        labelHidden
        value={unit}
        onChange={({ target }) => setUnit(units.find((each) => each === target.value) ?? 'months')}
      >
        {units.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </Select>
      <Button small type="submit">
        {texts.takeLast}
      </Button>
    </form>
  );
}

function DatesForm({ range, onChoose }: PeriodChoicesProps) {
  const [from, setFrom] = useState(range.kind === 'dates' ? range.from : '');
  const [to, setTo] = useState(range.kind === 'dates' ? range.to : '');
  const [error, setError] = useState<string>();

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!from || !to) setError(texts.missingDates);
    else if (to < from) setError(texts.wrongDates);
    else onChoose({ kind: 'dates', from, to });
  }

  return (
    <form className={styles.dates} onSubmit={submit} noValidate>
      <Field label={texts.from} type="date" value={from} onChange={({ target }) => setFrom(target.value)} />
      <Field label={texts.to} type="date" value={to} error={error} onChange={({ target }) => setTo(target.value)} />
      <Button small type="submit">
        {texts.theseDays}
      </Button>
    </form>
  );
}

/** Periods by name, by length and by their days. */
export function PeriodChoices({ range, onChoose }: PeriodChoicesProps) {
  return (
    <>
      <div className={styles.columns}>
        {presets.map((preset) => (
          <Choice
            key={preset}
            chosen={range.kind === 'preset' && range.preset === preset}
            onChoose={() => onChoose({ kind: 'preset', preset })}
          >
            {capitalized(rangeWords({ kind: 'preset', preset }).words)}
          </Choice>
        ))}
      </div>
      <LastForm range={range} onChoose={onChoose} />
      <DatesForm range={range} onChoose={onChoose} />
    </>
  );
}

interface ComparisonChoicesProps {
  chosen: ReportState['versus'];
  onChoose: (versus: ReportState['versus']) => void;
}

export function ComparisonChoices({ chosen, onChoose }: ComparisonChoicesProps) {
  return (
    <>
      {periods.map((period) => (
        <Choice key={period} chosen={period === chosen} onChoose={() => onChoose(period)}>
          {capitalized(comparisonWords(period))}
        </Choice>
      ))}
      {chosen && <Choice onChoose={() => onChoose(null)}>{texts.noComparison}</Choice>}
    </>
  );
}
