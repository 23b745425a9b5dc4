import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import styles from './order.module.css';

interface FormEndProps {
  refusal: string | undefined;
  submit: string;
  working: string | false;
  /** It cannot be undone. */
  danger?: boolean;
  disabled?: boolean;
  onClose: () => void;
}

/** The end of a form in a dialog: why it was not done, the way out and the deed. */
export function FormEnd({ refusal, submit, working, danger, disabled, onClose }: FormEndProps) {
  return (
    <>
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.formEnd}>
        <Button small onClick={onClose}>
          Not now
        </Button>
        <Button small kind={danger ? 'danger' : 'primary'} type="submit" disabled={disabled} working={working}>
          {submit}
        </Button>
      </div>
    </>
  );
}
