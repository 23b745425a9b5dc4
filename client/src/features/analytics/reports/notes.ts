import { calendarDayIn, formatCalendarDay, formatNumber } from '~/ui/format';
import { type ReportAnswer, membersOf } from './chart-data';
import { isTime, type ReportState } from './state';
import { daysOf } from './variables';

const many = (count: number, word: string) => `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`;

const REFUNDED = ['NET_SALES', 'REFUNDS', 'REFUND_RATE'];
const DAY_MS = 86_400_000;

/** "60 rows in 38 ms. Cost 214 of 5,000. Compared with Oct 6, 2025 to Nov 23, 2025, week by week." */
export function outcomeWords(state: ReportState, answer: ReportAnswer): string {
  const { rowCount, rows, meta } = answer;
  const { cost, costLimit, milliseconds } = meta;
  return [
    `${many(rowCount, 'row')} in ${formatNumber(milliseconds)} ms.`,
    `Cost ${formatNumber(cost)} of ${formatNumber(costLimit)}.`,
    rows.length < rowCount ? `The first ${formatNumber(rows.length)} are shown; the file has all.` : '',
    comparedWords(state, answer),
    state.measures.some((measure) => REFUNDED.includes(measure)) ? 'Refunds count on the day they were paid back.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

/** From when to when the report is compared; the server says it of the answer. Empty without a comparison. */
function comparedWords({ by }: ReportState, { totals }: ReportAnswer): string {
  const range = totals.m1.versus?.range;
  if (!range) return '';
  const weekly = by.includes('WEEK') ? ', week by week' : '';
  return `Compared with ${formatCalendarDay(range.from)} to ${formatCalendarDay(range.to)}${weekly}.`;
}

/** The day on which the report was made, by its own clock. */
export function todayOf({ meta }: Pick<ReportAnswer, 'meta'>): string {
  return calendarDayIn(meta.timeZone, meta.asOf);
}

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

/**
 * "Nov 2026 is not over: 21 of 30 days. Compared with the same 21 days, up to the same hour." Empty when everything is
 * over.
 */
export function partWords(state: ReportState, answer: ReportAnswer): string {
  const today = todayOf(answer);
  const place = state.by.findIndex(isTime);
  const time = state.by[place];
  if (!answer.meta.isPart) return '';
  if (!time || time === 'DAY' || time === 'HOUR') {
    const whole = daysBetween(answer.range.from, answer.range.to);
    const gone = daysBetween(answer.range.from, today);
    return gone < whole ? `The period is not over: ${gone} of ${whole} days.${compared(state, gone)}` : '';
  }
  const running = answer.rows
    .flatMap((row) => membersOf(row)[place] ?? [])
    .map((member) => ({ label: member.label, days: daysOf(time, member.key ?? '') }))
    .find(({ days }) => days.from <= today && today <= days.to);
  if (!running) return '';
  const whole = daysBetween(running.days.from, running.days.to);
  const gone = daysBetween(running.days.from, today);
  return gone < whole ? `${running.label} is not over: ${gone} of ${whole} days.${compared(state, gone)}` : '';
}

function compared({ versus }: ReportState, days: number): string {
  return versus ? ` Compared with the same ${many(days, 'day')}, up to the same hour.` : '';
}
