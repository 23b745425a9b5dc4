import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Button } from '~/ui/button';
import { TextArea } from '~/ui/field';
import { Moment } from '~/ui/time-zone';
import { ChangedMeanwhile } from './changed-meanwhile';
import styles from './order.module.css';
import { type AdminOrderDetailFragment, useCreateOrderNoteMutation } from './order.generated';
import { texts } from './texts';

const rules = v.object({ text: v.string() });

function NewNote({ order }: { order: AdminOrderDetailFragment }) {
  const [addNote] = useCreateOrderNoteMutation();
  const { changes, clearRefusal, field, isSending, onSubmit, refusal } = useSentForm({
    rules,
    defaultValues: { text: '' },
    send: ({ text }) => addNote({ variables: { orderId: order.id, version: order.version, text } }),
    done: 'OrderChanged',
    onDone: (_, { reset }) => reset(),
    success: texts.noted,
    otherwise: texts.noteFailed,
  });
  const text = field('text');
  const isOutdated = changes.length > 0;

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <TextArea
        label="New note"
        {...text}
        maxLength={2000}
        error={text.error ?? (isOutdated ? undefined : refusal)}
        note={texts.privateNotes}
      />
      {isOutdated && <ChangedMeanwhile refusal={{ message: refusal ?? '', changes }} onLook={clearRefusal} />}
      <div>
        <Button small type="submit" working={isSending && 'Adding ...'}>
          Add note
        </Button>
      </div>
    </form>
  );
}

/** What admins tell each other. */
export function Notes({ order }: { order: AdminOrderDetailFragment }) {
  return (
    <section className={styles.fact}>
      <h3>Notes</h3>
      {order.notes.length === 0 && <p className="soft">{texts.noNotes}</p>}
      <ul className={styles.plain}>
        {order.notes.map((note) => (
          <li key={note.id} className={styles.note}>
            <p>{note.text}</p>
            <p className="small soft">
              {note.author}, <Moment at={note.createdAt} />
            </p>
          </li>
        ))}
      </ul>
      <NewNote order={order} />
    </section>
  );
}
