import type { ReactNode } from 'react';
import { Button } from './button';
import { ErrorNote } from './error-note';
import styles from './form-end.module.css';

interface FormEndProps {
  /** Why it was not done, where no field says so. */
  refusal?: string | undefined;
  submit: string;
  working: string | false;
  /** It cannot be undone. */
  danger?: boolean;
  /** It changes nothing. */
  plain?: boolean;
  disabled?: boolean;
  /** Id of what says why it is disabled. */
  describedBy?: string | undefined;
  cancel?: string;
  onCancel?: (() => void) | undefined;
  /** Further ways on, between the way out and the deed. */
  children?: ReactNode;
}

/** The end of a form: why it was not done, the way out and the deed. */
export function FormEnd({
  refusal,
  submit,
  working,
  danger,
  plain,
  disabled,
  describedBy,
  cancel = 'Cancel',
  onCancel,
  children,
}: FormEndProps) {
  const kind = danger ? 'danger' : plain ? 'second' : 'primary';
  return (
    <>
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.end}>
        {onCancel && (
          <Button small onClick={onCancel}>
            {cancel}
          </Button>
        )}
        {children}
        <Button small kind={kind} type="submit" disabled={disabled} aria-describedby={describedBy} working={working}>
          {submit}
        </Button>
      </div>
    </>
  );
}
