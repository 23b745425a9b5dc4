import type { ReportDimension, ReportMeasure } from '~/graphql/schema.generated';
import type { ReportWordsQuery } from './report.generated';
import { MOST_DIMENSIONS, MOST_MEASURES, type ReportState } from './state';
import { dimensionWords, measureWords } from './words';

type Admin = NonNullable<ReportWordsQuery['admin']>;
export type Guide = Admin['analytics']['catalogue'];

const guideOf = (guide: Guide, measure: ReportMeasure) => guide.measures.find(({ name }) => name === measure);

const goesWith = (guide: Guide, measure: ReportMeasure, dimension: ReportDimension) =>
  guideOf(guide, measure)?.goesWith.includes(dimension) ?? false;

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Why a measure cannot be shown with what the report is split and filtered by; null when it can. */
export function measureRefusal(
  guide: Guide,
  state: Pick<ReportState, 'by' | 'where'>,
  measure: ReportMeasure,
): string | null {
  const used = [...state.by, ...state.where.map(({ dimension }) => dimension)];
  const foreign = used.find((dimension) => !goesWith(guide, measure, dimension));
  return foreign ? `Cannot be split or filtered by ${dimensionWords(foreign)}` : null;
}

/** Why the report cannot be split or filtered by a dimension; null when it can. */
export function dimensionRefusal(
  guide: Guide,
  state: Pick<ReportState, 'measures'>,
  dimension: ReportDimension,
): string | null {
  const foreign = state.measures.find((measure) => !goesWith(guide, measure, dimension));
  return foreign ? `${capital(measureWords(foreign))} cannot be split or filtered by it` : null;
}

export const addsUp = (guide: Guide, { measures: [first = 'NET_SALES'] }: Pick<ReportState, 'measures'>): boolean =>
  guideOf(guide, first)?.addsUp ?? false;

/** Whether there is room for another. */
export const hasRoom = {
  measure: ({ measures }: Pick<ReportState, 'measures'>): boolean => measures.length < MOST_MEASURES,
  dimension: ({ by }: Pick<ReportState, 'by'>): boolean => by.length < MOST_DIMENSIONS,
};
