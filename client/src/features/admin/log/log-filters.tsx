import { Field, Select } from '~/ui/field';
import { ListSearch } from '~/ui/list-search';
import { Filters } from '~/ui/table';
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

interface LogFiltersProps {
  values: LogNarrowing;
  choices: LogChoicesFragment | undefined;
  onChange: (changes: Partial<LogNarrowing>) => void;
}

interface ChoiceProps {
  label: string;
  all: string;
  value: string;
  options: readonly string[] | undefined;
  onChoose: (value: string) => void;
}

function Choice({ label, all, value, options = [], onChoose }: ChoiceProps) {
  const offered = value === '' || options.includes(value) ? options : [value, ...options];
  return (
    <Select label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{all}</option>
      {offered.map((option) => (
        <option key={option}>{option}</option>
      ))}
    </Select>
  );
}

/** Search, who, what, which kind and when. */
export function LogFilters({ values, choices, onChange }: LogFiltersProps) {
  return (
    <Filters>
      <ListSearch label="Search" value={values.search} onSearch={(search) => onChange({ search })} />
      <Choice
        label="Who"
        all="Everybody"
        value={values.actor}
        options={choices?.actors}
        onChoose={(actor) => onChange({ actor })}
      />
      <Choice
        label="What"
        all="Everything"
        value={values.action}
        options={choices?.actions}
        onChoose={(action) => onChange({ action })}
      />
      <Choice
        label="Kind"
        all="All kinds"
        value={values.kind}
        options={choices?.kinds}
        onChoose={(kind) => onChange({ kind, subject: '' })}
      />
      <Field
        label="From"
        type="date"
        max={values.to || undefined}
        value={values.from}
        onChange={({ target }) => onChange({ from: target.value })}
      />
      <Field
        label="To"
        type="date"
        min={values.from || undefined}
        value={values.to}
        onChange={({ target }) => onChange({ to: target.value })}
      />
    </Filters>
  );
}
