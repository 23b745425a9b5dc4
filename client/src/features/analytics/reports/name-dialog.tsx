import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Field } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { toast } from '~/ui/toast';
import styles from './builder.module.css';
import {
  type SavedReportFragment,
  SavedReportsDocument,
  useCreateSavedReportMutation,
  useUpdateSavedReportMutation,
} from './report.generated';
import { texts } from './texts';

interface NameDialogProps {
  title: string;
  /** What is kept; without an id it is a new one. */
  report: { id: string | null; name: string; definition: string };
  /** It may be kept as another one beside the one that it was. */
  asAnother?: boolean;
  onClose: () => void;
  onSaved: (report: SavedReportFragment) => void;
}

const listedAgain = { refetchQueries: [SavedReportsDocument], awaitRefetchQueries: true };

const rules = v.object({ id: v.nullable(v.string()), name: v.pipe(v.string(), v.trim()) });

/** Asks for a report's name, and keeps it under that. */
export function NameDialog({ title, report, asAnother = false, onClose, onSaved }: NameDialogProps) {
  const [create] = useCreateSavedReportMutation(listedAgain);
  const [update] = useUpdateSavedReportMutation(listedAgain);
  const { field, isSending, onSubmit, sendWith } = useSentForm({
    rules,
    defaultValues: { id: report.id, name: report.name },
    async send({ id, name }) {
      const input = { name, definition: report.definition };
      return id === null ? create({ variables: { input } }) : update({ variables: { id, input } });
    },
    done: 'SavedReport',
    onDone: (savedReport) => {
      toast.success(texts.saved(savedReport.name));
      onSaved(savedReport);
    },
    otherwise: texts.saveFailed,
    // What is refused as a whole is about the name.
    fields: { root: 'name' },
  });

  return (
    <Dialog open title={title} onClose={onClose}>
      <form className={styles.naming} onSubmit={onSubmit}>
        <Field label={texts.name} {...field('name')} maxLength={80} required note={texts.shared} />
        <FormEnd submit={texts.saveOver} working={isSending && texts.saving} cancel={texts.cancel} onCancel={onClose}>
          {asAnother && (
            <Button small onClick={() => sendWith({ id: null })}>
              {texts.saveNew}
            </Button>
          )}
        </FormEnd>
      </form>
    </Dialog>
  );
}
