import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import styles from './pricing.module.css';
import { texts } from './texts';

interface FormEndProps {
  saving: boolean;
  refusal: string | null;
  onCancel?: () => void;
  disabled?: boolean;
}

/** The end of a form: why it was not saved, Save and Cancel. */
export function FormEnd({ saving, refusal, onCancel, disabled = false }: FormEndProps) {
  return (
    <>
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.actions}>
        {onCancel && (
          <Button small onClick={onCancel}>
            {texts.cancel}
          </Button>
        )}
        <Button small kind="primary" type="submit" disabled={disabled} working={saving && texts.saving}>
          {texts.save}
        </Button>
      </div>
    </>
  );
}
