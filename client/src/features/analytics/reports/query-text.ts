import type { ReportDimension, ReportMeasure } from '~/graphql/schema.generated';
import type { ReportState } from './state';
import { type Sources, sourcesOf, toOrder, toRange, toWhere } from './variables';
import { titleOf } from './words';

/** Strings that the schema writes as enum values, by the field in which they stand. */
const ENUM_FIELDS = new Set(['preset', 'size', 'of', 'by', 'measure', 'dimension', 'direction']);
const WIDEST = 60;

function value(literal: unknown, isEnum: boolean): string {
  if (Array.isArray(literal)) return `[${literal.map((each) => value(each, isEnum)).join(', ')}]`;
  if (typeof literal === 'string') return isEnum ? literal : JSON.stringify(literal);
  if (literal === null || typeof literal !== 'object') return String(literal);
  const fields = Object.entries(literal).map(([name, each]) => `${name}: ${value(each, ENUM_FIELDS.has(name))}`);
  return `{ ${fields.join(', ')} }`;
}

function camel(name: string): string {
  return name.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const nameOf = (state: ReportState) =>
  titleOf(state)
    .split(/\W+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

function measureLines(measure: ReportMeasure, { versus }: ReportState): string[] {
  const comparison = versus ? [`  versus(period: ${versus}) {`, '    formatted', '    formattedChange', '  }'] : [];
  return [`${camel(measure)}: measure(is: ${measure}) {`, '  amount', '  formatted', ...comparison, '}'];
}

const dimensionLines = (dimension: ReportDimension) => [`${camel(dimension)}: dim(is: ${dimension}) {`, '  label', '}'];

const indented = (lines: readonly string[], by: number) => lines.map((line) => ' '.repeat(by) + line);

function argumentsOf(state: ReportState, sources: Sources): string[] {
  const rowsOf = sourcesOf(state, sources);
  const where = toWhere(state.where);
  const top = state.top && { n: state.top.count, of: state.top.of, by: state.measures[0] };
  return [
    `range: ${value(toRange(state.range), true)}`,
    state.by.length > 0 && `by: [${state.by.join(', ')}]`,
    where && `where: ${value(where, false)}`,
    top && `top: ${value(top, true)}`,
    state.sort && `orderBy: [${value(toOrder(state.sort, state.by), true)}]`,
    rowsOf.join() !== 'SALES' && `rowsOf: [${rowsOf.join(', ')}]`,
    state.by.length > 0 && 'first: 1000',
  ].filter((each) => typeof each === 'string');
}

/** The report as a query that a person can read, and that runs as it stands. */
export function toQueryText(state: ReportState, sources: Sources): string {
  const argumentList = argumentsOf(state, sources);
  const onOneLine = `report(${argumentList.join(', ')}) {`;
  const head = onOneLine.length <= WIDEST ? [onOneLine] : ['report(', ...indented(argumentList, 2), ') {'];
  const cells = state.measures.flatMap((measure) => measureLines(measure, state));
  const rows = ['rows {', ...indented([...state.by.flatMap(dimensionLines), ...cells], 2), '}'];
  const body = [
    ...head,
    ...indented(state.by.length > 0 ? rows : [], 2),
    ...indented(['totals {', ...indented(cells, 2), '}'], 2),
    '}',
  ];
  return [
    `query ${nameOf(state)} {`,
    '  admin {',
    '    analytics {',
    ...indented(body, 6),
    '    }',
    '  }',
    '}',
    '',
  ].join('\n');
}

/** GraphiQL opened on a query. It stands behind the #, which no server ever sees. */
export const workbenchLink = (query: string): string => `/graphiql#query=${encodeURIComponent(query)}`;
