import { type FormEvent, useState } from 'react';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Field } from '~/ui/field';
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
  const [name, setName] = useState(given);
  const [refusal, setRefusal] = useState<string>();

  async function keep(kept: (name: string) => Promise<string | null>) {
    setRefusal((await kept(name.trim())) ?? undefined);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void keep(onSave);
  }

  return (
    <Dialog open title={title} onClose={onClose}>
      <form className={styles.naming} onSubmit={submit}>
        <Field
          label={texts.name}
          value={name}
          maxLength={80}
          required
          error={refusal}
          note={texts.shared}
          onChange={({ target }) => setName(target.value)}
        />
        <div className={styles.namingEnd}>
          <Button small onClick={onClose}>
            {texts.cancel}
          </Button>
          {onSaveNew && (
            <Button small onClick={() => void keep(onSaveNew)}>
              {texts.saveNew}
            </Button>
          )}
          <Button small kind="primary" type="submit" working={saving && texts.saving}>
            {texts.saveOver}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
