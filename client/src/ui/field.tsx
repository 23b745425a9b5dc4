import {
  type ComponentPropsWithRef,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from 'react';
import { ErrorNote } from './error-note';
import styles from './field.module.css';
import { ChevronDownIcon } from './icons';

interface Common {
  label: string;
  /** The validation error, shown below the field and referenced by aria-describedby. */
  error?: string | undefined;
  note?: ReactNode;
  /** Only where the words are given and the look has no room; the label is then read, not seen. */
  labelHidden?: boolean;
}

function Frame({ id, label, labelHidden, error, note, children }: Common & { id: string; children: ReactNode }) {
  return (
    <div className={styles.field} data-invalid={error ? '' : undefined}>
      <label htmlFor={id} className={labelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <div className={styles.line}>{children}</div>
      {error && <ErrorNote id={`${id}-error`}>{error}</ErrorNote>}
      {note && !error && (
        <p id={`${id}-note`} className={styles.note}>
          {note}
        </p>
      )}
    </div>
  );
}

function described(id: string, { error, note }: Common) {
  if (error) return { 'aria-invalid': true, 'aria-describedby': `${id}-error` } as const;
  return note ? { 'aria-describedby': `${id}-note` } : {};
}

type FieldProps = Common &
  ComponentPropsWithRef<'input'> & { /** Before what is typed, such as "$". */ start?: string; end?: ReactNode };

/** One line of text with its label above and its error below. Takes react-hook-form's `register(…)` as it is. */
export function Field({ label, labelHidden, error, note, start, end, id, ...input }: FieldProps) {
  const own = useId();
  const at = id ?? own;
  return (
    <Frame id={at} label={label} labelHidden={labelHidden} error={error} note={note}>
      {start && (
        <span className={styles.start} aria-hidden="true">
          {start}
        </span>
      )}
      <input {...input} id={at} className={styles.input} {...described(at, { label, error, note })} />
      {end}
    </Frame>
  );
}

/** A password that can be looked at. */
export function PasswordField(props: Omit<FieldProps, 'type' | 'end'>) {
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...props}
      type={shown ? 'text' : 'password'}
      end={
        <button
          type="button"
          className={`${styles.show} link`}
          aria-label={shown ? `Hide ${props.label.toLowerCase()}` : `Show ${props.label.toLowerCase()}`}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
        >
          {shown ? 'Hide' : 'Show'}
        </button>
      }
    />
  );
}

type TextAreaProps = Common & TextareaHTMLAttributes<HTMLTextAreaElement> & ComponentPropsWithRef<'textarea'>;

export function TextArea({ label, labelHidden, error, note, id, ...input }: TextAreaProps) {
  const own = useId();
  const at = id ?? own;
  return (
    <Frame id={at} label={label} labelHidden={labelHidden} error={error} note={note}>
      <textarea {...input} id={at} className={styles.input} {...described(at, { label, error, note })} />
    </Frame>
  );
}

type SelectProps = Common & SelectHTMLAttributes<HTMLSelectElement> & ComponentPropsWithRef<'select'>;

/** The browser's own choice from a list. */
export function Select({ label, labelHidden, error, note, id, children, ...input }: SelectProps) {
  const own = useId();
  const at = id ?? own;
  return (
    <Frame id={at} label={label} labelHidden={labelHidden} error={error} note={note}>
      <select {...input} id={at} className={styles.input} {...described(at, { label, error, note })}>
        {children}
      </select>
      <ChevronDownIcon size={16} className={styles.chevron} />
    </Frame>
  );
}
