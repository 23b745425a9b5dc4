import * as v from 'valibot';
import type { Parsed } from './amount';

type Parse<Value> = (typed: string) => Parsed<Value>;

/** A field's text as `parse` reads it: null when it was left empty. */
export function typed<Value>(parse: Parse<Value>, message: string) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, Value | null>(({ dataset, addIssue, NEVER }) => {
      const { value, invalid } = parse(dataset.value);
      if (!invalid) return value;
      addIssue({ message });
      return NEVER;
    }),
  );
}

/** The same of a field that may not be left empty. */
export function needed<Value>(parse: Parse<Value>, message: string) {
  return v.pipe(
    v.string(),
    v.rawTransform<string, Value>(({ dataset, addIssue, NEVER }) => {
      const { value } = parse(dataset.value);
      if (value !== null) return value;
      addIssue({ message });
      return NEVER;
    }),
  );
}
