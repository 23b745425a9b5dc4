import { Fragment, type ReactNode, useState } from 'react';
import type { ReportDimension } from '~/graphql/schema.generated';
import { PlusIcon } from '~/ui/icons';
import styles from './builder.module.css';
import { FilterMenu } from './filter-menu';
import { dimensionRefusal, type Guide, hasRoom } from './fit';
import { ComparisonChoices, DimensionChoices, MeasureChoices, PeriodChoices, TopChoices } from './menus';
import { canFilter, type Filter, type ReportState } from './state';
import { texts } from './texts';
import { Choice, Word } from './word';
import { comparisonWords, dimensionWords, filterWords, measureWords, rangeWords } from './words';

interface SentenceProps {
  guide: Guide;
  state: ReportState;
  /** Names of members from the server, by their keys. */
  names: ReadonlyMap<string, string>;
  onChange: (changes: Partial<ReportState>) => void;
}

const ADD = 'report-add';
/** A word that is taken out takes the focus with it; it goes to where one would be put in. */
const focusAdd = () => requestAnimationFrame(() => document.getElementById(ADD)?.focus());

const replaced = <Item,>(items: readonly Item[], place: number, item: Item) =>
  items.map((each, at) => (at === place ? item : each));
const without = <Item,>(items: readonly Item[], place: number) => items.filter((_, at) => at !== place);

/** "a", "a and b", "a, b and c", of elements. */
function Listed({ items }: { items: readonly ReactNode[] }) {
  return items.map((item, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- a word keeps its place, and its focus, when it is changed.
    <Fragment key={place}>
      {place > 0 && (place === items.length - 1 ? ` ${texts.and} ` : ', ')}
      {item}
    </Fragment>
  ));
}

function Measures({ guide, state, onChange }: SentenceProps) {
  const items = state.measures.map((measure, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- a word keeps its place, and its focus, when it is changed.
    <Word key={place} role={texts.measure} words={measureWords(measure)}>
      {(close) => (
        <>
          <MeasureChoices
            guide={guide}
            state={state}
            chosen={measure}
            onChoose={(next) => {
              onChange({ measures: replaced(state.measures, place, next) });
              close();
            }}
          />
          {state.measures.length > 1 && (
            <Choice
              onChoose={() => {
                onChange({ measures: without(state.measures, place) });
                focusAdd();
              }}
            >
              {texts.remove}
            </Choice>
          )}
        </>
      )}
    </Word>
  ));
  return <Listed items={items} />;
}

function DimensionWord({
  guide,
  state,
  onChange,
  place,
  dimension,
}: SentenceProps & { place: number; dimension: ReportDimension }) {
  const top = state.top?.of === dimension ? `, ${texts.top(state.top.count).toLowerCase()}` : '';
  return (
    <Word role={texts.dimension} words={dimensionWords(dimension) + top}>
      {(close) => (
        <>
          <DimensionChoices
            guide={guide}
            state={state}
            chosen={dimension}
            onChoose={(next) => {
              const changes = next === dimension ? {} : { top: state.top?.of === dimension ? null : state.top };
              onChange({ by: replaced(state.by, place, next), ...changes });
              close();
            }}
          />
          <TopChoices
            state={state}
            dimension={dimension}
            onChoose={(next) => {
              onChange({ top: next });
              close();
            }}
          />
          <Choice
            onChoose={() => {
              onChange({ by: without(state.by, place), top: state.top?.of === dimension ? null : state.top });
              focusAdd();
            }}
          >
            {texts.remove}
          </Choice>
        </>
      )}
    </Word>
  );
}

function Filters(props: SentenceProps) {
  const { guide, state, names, onChange } = props;
  const change = (place: number, filter: Filter | null) => {
    const isKept = filter && filter.values.length > 0;
    onChange({ where: isKept ? replaced(state.where, place, filter) : without(state.where, place) });
    if (!isKept) focusAdd();
  };
  const items = state.where.map((filter, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- a word keeps its place, and its focus, when it is changed.
    <Word key={place} role={texts.filter} words={filterWords(filter, names)}>
      {() => (
        <FilterMenu
          guide={guide}
          state={state}
          filter={filter}
          onChange={(next) => change(place, next)}
          onRemove={() => change(place, null)}
        />
      )}
    </Word>
  ));
  return <Listed items={items} />;
}

type Addition = 'measure' | 'dimension' | 'filter' | 'comparison';

function FilterSteps({ guide, state, onChange }: SentenceProps) {
  const [draft, setDraft] = useState<Filter | null>(null);
  if (draft) {
    return (
      <FilterMenu
        guide={guide}
        state={state}
        filter={draft}
        onChange={(filter) => {
          const others = state.where.filter(
            ({ dimension, negated }) => dimension !== draft.dimension || negated !== draft.negated,
          );
          setDraft(filter);
          onChange({ where: filter.values.length > 0 ? [...others, filter] : others });
        }}
      />
    );
  }
  const open = guide.dimensions.filter(
    ({ name }) => canFilter(name) && !state.where.some(({ dimension }) => dimension === name),
  );
  return open.map(({ name, label }) => (
    <Choice
      key={name}
      refusal={dimensionRefusal(guide, state, name)}
      onChoose={() => setDraft({ dimension: name, negated: false, values: [] })}
    >
      {label}
    </Choice>
  ));
}

function Additions({ close, ...props }: SentenceProps & { close: () => void }) {
  const [what, setWhat] = useState<Addition | null>(null);
  const { guide, state, onChange } = props;
  const add = (changes: Partial<ReportState>) => {
    onChange(changes);
    close();
  };
  if (what === 'measure') {
    return (
      <MeasureChoices guide={guide} state={state} onChoose={(next) => add({ measures: [...state.measures, next] })} />
    );
  }
  if (what === 'dimension') {
    return <DimensionChoices guide={guide} state={state} onChoose={(next) => add({ by: [...state.by, next] })} />;
  }
  if (what === 'filter') return <FilterSteps {...props} />;
  if (what === 'comparison') return <ComparisonChoices chosen={null} onChoose={(versus) => add({ versus })} />;

  const refusals: Record<Addition, string | null> = {
    measure: hasRoom.measure(state) ? null : texts.full.measure,
    dimension: hasRoom.dimension(state) ? null : texts.full.dimension,
    filter: null,
    comparison: state.versus ? texts.full.comparison : null,
  };
  return (Object.keys(refusals) as Addition[]).map((each) => (
    <Choice key={each} refusal={refusals[each]} onChoose={() => setWhat(each)}>
      {texts.another[each]}
    </Choice>
  ));
}

/** The report as a sentence whose underlined words are its menus. */
export function Sentence(props: SentenceProps) {
  const { state, onChange } = props;
  const { before, words } = rangeWords(state.range);
  return (
    // Words are buttons with panels below them, which a paragraph must not hold.
    <div className={styles.sentence}>
      {texts.show} <Measures {...props} />
      {state.by.length > 0 && (
        <>
          {' '}
          {texts.by}{' '}
          <Listed
            items={state.by.map((dimension, place) => (
              // oxlint-disable-next-line react/no-array-index-key -- as above.
              <DimensionWord key={place} {...props} place={place} dimension={dimension} />
            ))}
          />
        </>
      )}
      {state.where.length > 0 && (
        <>
          , {texts.where} <Filters {...props} />
        </>
      )}
      , {before}{' '}
      <Word role={texts.period} words={words}>
        {(close) => (
          <PeriodChoices
            range={state.range}
            onChoose={(range) => {
              onChange({ range });
              close();
            }}
          />
        )}
      </Word>
      {state.versus && (
        <>
          , {texts.comparedWith}{' '}
          <Word role={texts.comparison} words={comparisonWords(state.versus)}>
            {(close) => (
              <ComparisonChoices
                chosen={state.versus}
                onChoose={(versus) => {
                  onChange({ versus });
                  if (versus) close();
                  else focusAdd();
                }}
              />
            )}
          </Word>
        </>
      )}
      .{' '}
      <Word
        id={ADD}
        quiet
        role={texts.addWhat}
        words={
          <>
            <PlusIcon size={16} /> {texts.add}
          </>
        }
      >
        {(close) => <Additions {...props} close={close} />}
      </Word>
    </div>
  );
}
