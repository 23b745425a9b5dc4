import { useState } from 'react';
import { QueryStatus } from '~/graphql/query-status';
import { LiveRegion } from '~/ui/live-region';
import { SubNavigation } from '~/features/analytics/sub-navigation';
import styles from './builder.module.css';
import { cellsOf, membersOf, type ReportAnswer } from './chart-data';
import { addsUp, type Guide } from './fit';
import { outcomeWords } from './notes';
import { OrdersDrawer } from './orders-drawer';
import { QueryPane } from './query-pane';
import { toQueryText } from './query-text';
import { useBuiltReportQuery, useReportMembersQuery, useReportWordsQuery } from './report.generated';
import { ReportActions } from './report-actions';
import { ReportChart } from './report-chart';
import { type Behind, ReportTable } from './report-table';
import { SavedMenu } from './saved-menu';
import { Sentence } from './sentence';
import { beginning, type ReportState, writeReport } from './state';
import { texts } from './texts';
import { useReport } from './use-report';
import { useSavedReports } from './use-saved-reports';
import { behindRow, type Sources, toRange, toVariables } from './variables';
import { titleOf } from './words';

/** Names of the products and variants that the report is filtered by. */
function useNames(state: ReportState): ReadonlyMap<string, string> {
  const filter = state.where.find(({ dimension }) => dimension === 'PRODUCT' || dimension === 'VARIANT');
  const { data } = useReportMembersQuery({
    variables: { range: toRange(state.range), dimension: filter?.dimension ?? 'PRODUCT', where: null },
    skip: !filter,
    fetchPolicy: 'no-cache',
  });
  const rows = data?.admin?.analytics.report?.rows ?? [];
  return new Map(rows.flatMap(({ dim }) => (dim?.key ? [[dim.key, dim.label] as const] : [])));
}

interface AnsweredProps {
  guide: Guide;
  state: ReportState;
  answer: ReportAnswer;
  stale: boolean;
  query: string;
  onChange: (changes: Partial<ReportState>) => void;
}

function Answered({ guide, state, answer, stale, query, onChange }: AnsweredProps) {
  const [behind, setBehind] = useState<Behind | null>(null);
  const ordersQuery = behind && behindRow(state, membersOf(behind.row), answer.range);
  return (
    <>
      <div className={styles.halves} aria-busy={stale || undefined}>
        <ReportChart
          state={state}
          answer={answer}
          addsUp={addsUp(guide, state)}
          onChoose={(chart) => onChange({ chart })}
        />
        <QueryPane query={query} />
      </div>
      <ReportTable
        state={state}
        answer={answer}
        stale={stale}
        canOpen={(row) => behindRow(state, membersOf(row), answer.range) !== null}
        onSort={(sort) => onChange({ sort })}
        onOpen={setBehind}
      />
      <details className={styles.notes}>
        <summary>{texts.counted}</summary>
        <ul>
          {answer.meta.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
          <li>Days and hours are those of {answer.meta.timeZone}.</li>
        </ul>
      </details>
      {behind && ordersQuery && (
        <OrdersDrawer
          words={behind.words}
          query={ordersQuery}
          timeZone={answer.range.timeZone}
          onClose={() => setBehind(null)}
        />
      )}
    </>
  );
}

/** An answer shows what it was asked; while the next is on its way the last one stays, with its own question. */
function useAnswer(state: ReportState, sources: Sources) {
  const variables = toVariables(state, sources);
  const { data, error, loading } = useBuiltReportQuery({ variables, fetchPolicy: 'no-cache' });
  const fresh = data?.admin?.analytics.report;
  const [last, setLast] = useState<{ state: ReportState; answer: ReportAnswer } | null>(null);
  if (fresh && !loading && last?.answer !== fresh) setLast({ state, answer: fresh });
  return { variables, error: loading ? undefined : error, loading, last };
}

function Builder({ guide }: { guide: Guide }) {
  const { state, definition, saved: savedId, open, change } = useReport();
  const saved = useSavedReports();
  const opened = saved.reports.find(({ id }) => id === savedId);
  const sources: Sources = new Map(guide.measures.map(({ name, rowsOf }) => [name, rowsOf]));
  const names = useNames(state);
  const query = toQueryText(state, sources);
  const { variables, error, loading, last } = useAnswer(state, sources);
  const outcome = last ? outcomeWords(last.state, last.answer) : '';

  return (
    <>
      <SubNavigation current="reports">
        <SavedMenu
          saved={saved}
          opened={opened}
          isChanged={opened !== undefined && opened.definition !== definition}
          onOpen={(report) => open(report?.definition ?? writeReport(beginning), report?.id ?? null)}
        />
      </SubNavigation>
      <div className={styles.head}>
        <h2 className="visually-hidden">{texts.title}</h2>
        <Sentence guide={guide} state={state} names={names} onChange={change} />
        <div className={styles.outcome}>
          {loading || error ? (
            <QueryStatus error={loading ? null : error} waiting={texts.waiting} failed={texts.failed} />
          ) : (
            <p className="small soft">{outcome}</p>
          )}
          <LiveRegion>{loading || error ? '' : outcome}</LiveRegion>
          <ReportActions
            title={titleOf(state)}
            query={query}
            definition={definition}
            variables={variables}
            opened={opened}
            onSaved={({ id }) => open(definition, id)}
          />
        </div>
      </div>
      {last && !error && cellsOf(last.answer.totals).length === last.state.measures.length && (
        <Answered
          guide={guide}
          state={last.state}
          answer={last.answer}
          stale={loading}
          query={query}
          onChange={change}
        />
      )}
      {error && <QueryPane query={query} />}
    </>
  );
}

/** Reports that an admin composes: a sentence, its picture, its rows and its query. */
export function ReportBuilder() {
  const { data, error } = useReportWordsQuery();
  const guide = data?.admin?.analytics.catalogue;
  if (guide) return <Builder guide={guide} />;
  return (
    <>
      <SubNavigation current="reports" />
      <QueryStatus error={error} waiting={texts.guideWaiting} failed={texts.guideFailed} />
    </>
  );
}
