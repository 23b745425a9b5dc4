import { type FormEvent, useState } from 'react';
import { settled } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { TextArea } from '~/ui/field';
import { Stepper } from '~/ui/stepper';
import { toast } from '~/ui/toast';
import { type RequestReturnMutation, useRequestReturnMutation } from './order.generated';
import styles from './return-form.module.css';
import type { returnableLines } from './returnable';
import { texts } from './texts';

type Returnable = ReturnType<typeof returnableLines>;
type Refusal = Partial<Record<'lines' | 'reason', string>>;

const MOST_CHARACTERS = 1000;

function refusalOf(result: RequestReturnMutation['requestReturn'] | undefined, said: string | undefined): Refusal {
  if (result?.__typename === 'InvalidInput' && result.errors.length > 0) {
    return Object.fromEntries(
      result.errors.map(({ field, message }) => [field === 'reason' ? 'reason' : 'lines', message]),
    );
  }
  return { lines: (result?.__typename !== 'Order' && result?.message) || said || texts.returnFailed };
}

interface ReturnFormProps {
  orderId: string;
  returnable: Returnable;
  onClose: () => void;
}

/** Which pieces go back, how many of each, and why. */
export function ReturnForm({ orderId, returnable, onClose }: ReturnFormProps) {
  const [requestReturn, { loading }] = useRequestReturnMutation();
  const only = returnable.length === 1 && returnable[0]?.left === 1 ? { [returnable[0].line.id]: 1 } : {};
  const [pieces, setPieces] = useState<Record<string, number>>(only);
  const [reason, setReason] = useState('');
  const [refusal, setRefusal] = useState<Refusal>({});

  async function submit(event: FormEvent) {
    event.preventDefault();
    const lines = Object.entries(pieces).flatMap(([lineId, quantity]) => (quantity > 0 ? { lineId, quantity } : []));
    if (lines.length === 0) {
      setRefusal({ lines: texts.nothingToReturn });
      return;
    }
    setRefusal({});
    const { data, said } = await settled(requestReturn({ variables: { orderId, lines, reason } }));
    if (data?.requestReturn.__typename !== 'Order') {
      setRefusal(refusalOf(data?.requestReturn, said));
      return;
    }
    toast.success(texts.returnAsked);
    onClose();
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p>Choose the pieces that go back. We answer by mail with the address and a label, which costs you nothing.</p>
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
                onChange={(quantity) => setPieces({ ...pieces, [line.id]: quantity })}
              />
            </li>
          );
        })}
      </ul>
      {refusal.lines && <ErrorNote>{refusal.lines}</ErrorNote>}
      <TextArea
        label="Reason (optional)"
        value={reason}
        maxLength={MOST_CHARACTERS}
        error={refusal.reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <div className={styles.actions}>
        <Button small onClick={onClose}>
          Cancel
        </Button>
        <Button small kind="primary" type="submit" working={loading && 'Asking ...'}>
          Ask for a return
        </Button>
      </div>
    </form>
  );
}
