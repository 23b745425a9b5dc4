import type { FilterField } from '~/ui/filter-bar';
import type { LogChoicesFragment } from './log.generated';

/** What the log is narrowed to, as the address has it; nothing is an empty text, days are like 2026-11-21. */
export interface LogNarrowing extends Record<string, string> {
  search: string;
  actor: string;
  action: string;
  kind: string;
  subject: string;
  from: string;
  to: string;
}

export const everything: LogNarrowing = { search: '', actor: '', action: '', kind: '', subject: '', from: '', to: '' };

/** What the log offers to choose; a value that only the address names is offered too. */
function options(all: string, value: string, choices: readonly string[] = []) {
  const offered = value === '' || choices.includes(value) ? choices : [value, ...choices];
  return [{ value: '', label: all }, ...offered.map((choice) => ({ value: choice, label: choice }))];
}

/** Search, who, what, which kind and when. */
export function logFilters(
  { actor, action, kind, from, to }: LogNarrowing,
  choices: LogChoicesFragment | undefined,
): FilterField<LogNarrowing>[] {
  return [
    { name: 'search', kind: 'search', label: 'Search' },
    { name: 'actor', kind: 'choice', label: 'Who', options: options('Everybody', actor, choices?.actors) },
    { name: 'action', kind: 'choice', label: 'What', options: options('Everything', action, choices?.actions) },
    {
      name: 'kind',
      kind: 'choice',
      label: 'Kind',
      options: options('All kinds', kind, choices?.kinds),
      resets: { subject: '' },
    },
    { name: 'from', kind: 'day', label: 'From', max: to },
    { name: 'to', kind: 'day', label: 'To', min: from },
  ];
}
