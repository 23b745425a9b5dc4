import { useForm } from 'react-hook-form';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Field } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import styles from './builder.module.css';
import { texts } from './texts';

interface NameDialogProps {
  title: string;
  name: string;
  saving: boolean;
  /** Keeps it as another one; answers as `onSave`. */
  onSaveNew?: ((name: string) => Promise<string | null>) | undefined;
  onClose: () => void;
  /** Answers why it is not kept; null when it is. */
  onSave: (name: string) => Promise<string | null>;
}

/** Asks for a report's name. */
export function NameDialog({ title, name: given, saving, onSaveNew, onClose, onSave }: NameDialogProps) {
  const { formState, handleSubmit, register, setError } = useForm({ defaultValues: { name: given } });

  const keepAs = (kept: typeof onSave) =>
    handleSubmit(async ({ name }) => {
      const refusal = await kept(name.trim());
      if (refusal !== null) setError('name', { message: refusal }, { shouldFocus: true });
    });

  return (
    <Dialog open title={title} onClose={onClose}>
      <form className={styles.naming} onSubmit={(event) => void (saving || keepAs(onSave)(event))}>
        <Field
          label={texts.name}
          {...register('name')}
          maxLength={80}
          required
          error={formState.errors.name?.message}
          note={texts.shared}
        />
        <FormEnd submit={texts.saveOver} working={saving && texts.saving} cancel={texts.cancel} onCancel={onClose}>
          {onSaveNew && (
            <Button small onClick={() => void keepAs(onSaveNew)()}>
              {texts.saveNew}
            </Button>
          )}
        </FormEnd>
      </form>
    </Dialog>
  );
}
