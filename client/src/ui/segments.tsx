import { useId } from 'react';
import { ErrorNote } from './error-note';
import styles from './segments.module.css';

interface SegmentsProps<Value extends string> {
  label: string;
  options: readonly { value: Value; label: string }[];
  chosen: Value | '';
  onChoose: (value: Value) => void;
  error?: string | undefined;
}

/** A choice of one among a few words that stand side by side. */
export function Segments<Value extends string>({ label, options, chosen, onChoose, error }: SegmentsProps<Value>) {
  const id = useId();
  return (
    <fieldset className={styles.group} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={styles.label}>{label}</legend>
      <div className={styles.segments} data-invalid={error ? '' : undefined}>
        {options.map(({ value, label: words }) => (
          <label key={value} className={styles.segment}>
            <input type="radio" name={id} checked={value === chosen} onChange={() => onChoose(value)} />
            <span>{words}</span>
          </label>
        ))}
      </div>
      {error && <ErrorNote id={`${id}-error`}>{error}</ErrorNote>}
    </fieldset>
  );
}
