import { type FormEvent, useState } from 'react';
import { Button } from '~/ui/button';
import { TextArea } from '~/ui/field';
import { formatMoment } from '~/ui/format';
import styles from './order.module.css';
import { type AdminOrderDetailFragment, useAddOrderNoteMutation } from './order.generated';
import { done } from './outcome';
import { texts } from './texts';

/** What admins tell each other. */
export function Notes({ order }: { order: AdminOrderDetailFragment }) {
  const [addNote, { loading }] = useAddOrderNoteMutation();
  const [text, setText] = useState('');
  const [refusal, setRefusal] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const words = { done: texts.noted, otherwise: texts.noteFailed };
    const why = await done(addNote({ variables: { orderId: order.id, text } }), (data) => data.addOrderNote, words);
    setRefusal(why);
    if (!why) setText('');
  }

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
      <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <TextArea
          label="New note"
          value={text}
          maxLength={2000}
          error={refusal}
          note={texts.privateNotes}
          onChange={({ target }) => setText(target.value)}
        />
        <div>
          <Button small type="submit" working={loading && 'Adding ...'}>
            Add note
          </Button>
        </div>
      </form>
    </section>
  );
}
