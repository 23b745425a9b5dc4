import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '~/ui/button';
import { Head, Table } from '~/ui/table';
import tableStyles from '~/ui/table.module.css';
import styles from './builder.module.css';
import { cellsOf, membersOf, type ReportAnswer, type ReportCell, type ReportRow } from './chart-data';
import type { ReportState, Sorting } from './state';
import { texts } from './texts';
import { capitalized, comparisonHead, dimensionWords, measureWords } from './words';

const AT_FIRST = 30;

export interface Behind {
  /** What the row stands for, in words. */
  words: string;
  row: ReportRow;
}

interface ReportTableProps {
  state: ReportState;
  answer: ReportAnswer;
  stale: boolean;
  canOpen: (row: ReportRow) => boolean;
  onSort: (sort: Sorting) => void;
  onOpen: (behind: Behind) => void;
}

const wordsOfRow = (row: ReportRow): string =>
  membersOf(row)
    .map(({ label }) => label)
    .join(', ');

function Cells({
  state,
  cells,
  open,
}: {
  state: ReportState;
  cells: readonly ReportCell[];
  open?: { place: number; words: string; onPress: () => void } | undefined;
}) {
  return state.measures.map((measure, place) => {
    const cell = cells[place];
    const label = capitalized(measureWords(measure));
    return [
      <td key={measure} className={tableStyles.number} data-label={label}>
        {open?.place === place ? (
          <button
            type="button"
            className="link"
            aria-label={`${cell?.formatted}. ${texts.behind(open.words)}`}
            onClick={open.onPress}
          >
            {cell?.formatted}
          </button>
        ) : (
          cell?.formatted
        )}
      </td>,
      state.versus && (
        <td
          key={`${measure}-before`}
          className={`${tableStyles.number} ${styles.before}`}
          data-label={`${label}, ${comparisonHead(state.versus).toLowerCase()}`}
          title={cell?.versus?.formatted}
        >
          {cell?.versus?.formattedChange}
        </td>
      ),
    ];
  });
}

/** Whether all rows are shown: when that is asked for, and whenever the page is printed. */
function useWholeOnPaper() {
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    const showAll = () => flushSync(() => setWhole(true));
    window.addEventListener('beforeprint', showAll);
    return () => window.removeEventListener('beforeprint', showAll);
  }, []);
  return [isWhole, setWhole] as const;
}

/** The report's rows, sorted by the server; the orders behind a row are one press away. */
export function ReportTable({ state, answer, stale, canOpen, onSort, onOpen }: ReportTableProps) {
  const [isWhole, setWhole] = useWholeOnPaper();
  const rows = isWhole ? answer.rows : answer.rows.slice(0, AT_FIRST);
  const place = Math.max(0, state.measures.indexOf('ORDERS'));

  const sorted = (by: Sorting['by']) =>
    state.sort?.by === by ? (state.sort.descending ? 'descending' : 'ascending') : 'none';
  const turn = (by: Sorting['by'], first: boolean) => () =>
    onSort({ by, descending: state.sort?.by === by ? !state.sort.descending : first });

  return (
    <div className={styles.rows}>
      <Table label={texts.rows} stale={stale}>
        <thead>
          <tr>
            {state.by.map((dimension) => (
              <Head key={dimension} sorted={sorted(dimension)} onSort={turn(dimension, false)}>
                {capitalized(dimensionWords(dimension))}
              </Head>
            ))}
            {state.by.length === 0 && <Head hidden>{texts.rows}</Head>}
            {state.measures.map((measure) => [
              <Head
                key={measure}
                number
                sorted={sorted(measure)}
                onSort={state.by.length > 0 ? turn(measure, true) : undefined}
              >
                {capitalized(measureWords(measure))}
              </Head>,
              state.versus && (
                <Head key={`${measure}-before`} number>
                  {comparisonHead(state.versus)}
                </Head>
              ),
            ])}
          </tr>
        </thead>
        <tbody>
          {state.by.length > 0 &&
            rows.map((row, index) => {
              const members = membersOf(row);
              const words = wordsOfRow(row);
              const open = canOpen(row) ? { place, words, onPress: () => onOpen({ words, row }) } : undefined;
              return (
                // oxlint-disable-next-line react/no-array-index-key -- rows have no identity beyond their place.
                <tr key={index}>
                  {members.map(({ label }, at) =>
                    at === 0 ? (
                      <th key={state.by[at]} scope="row">
                        {label}
                      </th>
                    ) : (
                      <td key={state.by[at]}>{label}</td>
                    ),
                  )}
                  <Cells state={state} cells={cellsOf(row)} open={open} />
                </tr>
              );
            })}
          <tr className={styles.total}>
            <th scope="row" colSpan={Math.max(1, state.by.length)}>
              {texts.total}
            </th>
            <Cells state={state} cells={cellsOf(answer.totals)} />
          </tr>
        </tbody>
      </Table>
      {rows.length < answer.rows.length && (
        <Button small onClick={() => setWhole(true)}>
          {texts.showAll(answer.rows.length)}
        </Button>
      )}
    </div>
  );
}
