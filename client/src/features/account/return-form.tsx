import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { ErrorNote } from '~/ui/error-note';
import { TextArea } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { Stepper } from '~/ui/stepper';
import { useRequestReturnMutation } from './order.generated';
import styles from './return-form.module.css';
import type { returnableLines } from './returnable';
import { texts } from './texts';

type Returnable = ReturnType<typeof returnableLines>;

const MOST_CHARACTERS = 1000;

const rules = v.object({
  pieces: v.pipe(
    v.record(v.string(), v.number()),
    v.check((pieces) => Object.values(pieces).some((quantity) => quantity > 0), texts.nothingToReturn),
  ),
  reason: v.string(),
});

interface ReturnFormProps {
  orderId: string;
  returnable: Returnable;
  onClose: () => void;
}

interface ReturnedPiecesProps {
  returnable: Returnable;
  pieces: Readonly<Record<string, number>>;
  onChange: (pieces: Record<string, number>) => void;
}

function ReturnedPieces({ returnable, pieces, onChange }: ReturnedPiecesProps) {
  return (
    <ul>
      {returnable.map(({ line, left }) => {
        const name = line.name ?? texts.noProductName;
        const choice = [line.color, line.size].filter(Boolean).join(', ');
        return (
          <li key={line.id} className={styles.line}>
            <div>
              <p>{name}</p>
              <p className="small soft">{choice}</p>
            </div>
            <Stepper
              label={`Pieces of ${name} (${choice}) to return`}
              value={pieces[line.id] ?? 0}
              min={0}
              max={left}
              onChange={(quantity) => onChange({ ...pieces, [line.id]: quantity })}
            />
          </li>
        );
      })}
    </ul>
  );
}

/** Which pieces go back, how many of each, and why. */
export function ReturnForm({ orderId, returnable, onClose }: ReturnFormProps) {
  const [requestReturn] = useRequestReturnMutation();
  const only = returnable.length === 1 && returnable[0]?.left === 1 ? { [returnable[0].line.id]: 1 } : {};
  const { errorOf, field, isSending, onSubmit, refusal, setValue, watch } = useSentForm({
    rules,
    defaultValues: { pieces: only as Record<string, number>, reason: '' },
    send: ({ pieces, reason }) => {
      const chosen = Object.entries(pieces).filter(([, quantity]) => quantity > 0);
      const lines = chosen.map(([lineId, quantity]) => ({ lineId, quantity }));
      return requestReturn({ variables: { orderId, lines, reason } });
    },
    done: 'Order',
    onDone: onClose,
    success: texts.returnAsked,
    otherwise: texts.returnFailed,
    fields: { lines: 'pieces', root: 'pieces' },
  });
  const wrong = errorOf('pieces');

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>Choose the pieces that go back. We answer by mail with the address and a label, which costs you nothing.</p>
      <ReturnedPieces
        returnable={returnable}
        pieces={watch('pieces')}
        onChange={(pieces) => setValue('pieces', pieces)}
      />
      {wrong && <ErrorNote>{wrong}</ErrorNote>}
      <TextArea label="Reason (optional)" {...field('reason')} maxLength={MOST_CHARACTERS} />
      <FormEnd refusal={refusal} submit="Ask for a return" working={isSending && 'Asking ...'} onCancel={onClose} />
    </form>
  );
}
