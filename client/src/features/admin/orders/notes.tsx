import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Button } from '~/ui/button';
import { TextArea } from '~/ui/field';
import { formatMoment } from '~/ui/format';
import styles from './order.module.css';
import { type AdminOrderDetailFragment, useAddOrderNoteMutation } from './order.generated';
import { texts } from './texts';

const rules = v.object({ text: v.string() });

function NewNote({ orderId }: { orderId: string }) {
  const [addNote] = useAddOrderNoteMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules,
    defaultValues: { text: '' },
    send: ({ text }) => addNote({ variables: { orderId, text } }),
    done: 'OrderChanged',
    onDone: (_, { reset }) => reset(),
    success: texts.noted,
    otherwise: texts.noteFailed,
  });
  const text = field('text');

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <TextArea label="New note" {...text} maxLength={2000} error={text.error ?? refusal} note={texts.privateNotes} />
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
              {note.author}, <time dateTime={note.createdAt}>{formatMoment(note.createdAt)}</time>
            </p>
          </li>
        ))}
      </ul>
      <NewNote orderId={order.id} />
    </section>
  );
}
