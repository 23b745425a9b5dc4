import { Field, Select } from './field';
import { ListSearch } from './list-search';
import { Filters } from './table';
import type { ListQuery } from './use-list-query';

interface Choice {
  value: string;
  label: string;
}

/** One filter of a list: which value of the address it sets, and how. */
export type FilterField<Values extends Record<string, string>> = {
  name: keyof Values & string;
  label: string;
} & (
  | { kind: 'search' }
  | {
      kind: 'choice';
      options: readonly Choice[];
      /** Values that are reset with every choice. */
      resets?: Partial<Values>;
    }
  /** `min` and `max` as the address has days: 2026-11-21. */
  | { kind: 'day'; min?: string | undefined; max?: string | undefined }
);

interface FilterProps<Values extends Record<string, string>> {
  list: Pick<ListQuery<Values>, 'values' | 'set'>;
  field: FilterField<Values>;
}

function Filter<Values extends Record<string, string>>({ list, field }: FilterProps<Values>) {
  const { name, label } = field;
  const value = list.values[name] ?? '';
  const set = (chosen: string, resets?: Partial<Values>) => list.set({ ...resets, [name]: chosen } as Partial<Values>);

  if (field.kind === 'search') return <ListSearch label={label} value={value} onSearch={(words) => set(words)} />;
  if (field.kind === 'day') {
    return (
      <Field
        label={label}
        type="date"
        min={field.min || undefined}
        max={field.max || undefined}
        value={value}
        onChange={({ target }) => set(target.value)}
      />
    );
  }
  return (
    <Select
      label={label}
      value={field.options.some((option) => option.value === value) ? value : field.options[0]?.value}
      onChange={({ target }) => set(target.value, field.resets)}
    >
      {field.options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Select>
  );
}

interface FilterBarProps<Values extends Record<string, string>> {
  list: Pick<ListQuery<Values>, 'values' | 'set'>;
  fields: readonly FilterField<Values>[];
}

/** Search and filters of a list in a row above it; their values are the address's. */
export function FilterBar<Values extends Record<string, string>>({ list, fields }: FilterBarProps<Values>) {
  return (
    <Filters>
      {fields.map((field) => (
        <Filter key={field.name} list={list} field={field} />
      ))}
    </Filters>
  );
}
