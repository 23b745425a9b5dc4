import { useState } from 'react';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { formatDayIn } from '~/ui/format';
import { Status } from '~/ui/status';
import { Moment } from '~/ui/time-zone';
import styles from './order.module.css';
import type { AdminOrderDetailFragment, AdminReturnPartsFragment } from './order.generated';
import { called } from './pieces';
import { AcceptForm, ReceiveForm, RefundReturnForm, RefuseForm } from './return-forms';
import { returns } from './statuses';

type Step = 'accept' | 'refuse' | 'receive' | 'refund';

const steps: Record<Step, { label: string; title: string }> = {
  accept: { label: 'Accept', title: 'Accept the return' },
  receive: { label: 'Receive', title: 'What was in the parcel' },
  refuse: { label: 'Refuse', title: 'Refuse the return' },
  refund: { label: 'Refund', title: 'Refund the return' },
};

const open: Record<AdminReturnPartsFragment['status'], readonly Step[]> = {
  REQUESTED: ['accept', 'receive', 'refuse'],
  ACCEPTED: ['receive', 'refuse'],
  RECEIVED: ['refund'],
  REFUSED: [],
  REFUNDED: [],
  CANCELED: [],
};

/** What can be done next: a return of pieces that were never sent can only be refused. */
function stepsOf(order: AdminOrderDetailFragment, { status, pieces }: AdminReturnPartsFragment): readonly Step[] {
  const shipped = new Map(order.lines.map((line) => [line.id, line.shipped]));
  const sent = pieces.every(({ lineId, quantity }) => quantity <= (shipped.get(lineId) ?? 0));
  return open[status].filter((step) => sent || step === 'refuse' || step === 'refund');
}

interface ReturnPanelProps {
  order: AdminOrderDetailFragment;
  returned: AdminReturnPartsFragment;
}

function came({ received, restocked }: AdminReturnPartsFragment['pieces'][number]): string {
  if (received === null) return '';
  return `, ${received} came, ${restocked} back on the shelf`;
}

/** One return: what comes back, how far it is, and the next step. */
export function ReturnPanel({ order, returned }: ReturnPanelProps) {
  const [step, setStep] = useState<Step | null>(null);
  const { mark, words } = returns[returned.status];
  const possible = stepsOf(order, returned);
  const close = () => setStep(null);
  const form = { order, returned, onClose: close };
  return (
    <li className={styles.item}>
      <div className={styles.itemHead}>
        <Status mark={mark}>{words}</Status>
        <Moment at={returned.createdAt} format={formatDayIn} className="small soft" />
      </div>
      <ul className={styles.plain}>
        {returned.pieces.map((pieces) => {
          const line = order.lines.find(({ id }) => id === pieces.lineId);
          return (
            <li key={pieces.lineId}>
              {pieces.quantity} × {line ? called(line) : 'a piece'}
              {came(pieces)}
            </li>
          );
        })}
      </ul>
      {returned.reason && <p className={styles.quote}>{returned.reason}</p>}
      {returned.answer && <p className="small soft">Answered: {returned.answer}</p>}
      {possible.length > 0 && (
        <div className={styles.itemActions}>
          {possible.map((name) => (
            <Button key={name} small onClick={() => setStep(name)}>
              {steps[name].label}
            </Button>
          ))}
        </div>
      )}
      <Dialog open={step !== null} title={step ? steps[step].title : ''} onClose={close}>
        {step === 'accept' && <AcceptForm {...form} />}
        {step === 'refuse' && <RefuseForm {...form} />}
        {step === 'receive' && <ReceiveForm {...form} />}
        {step === 'refund' && <RefundReturnForm {...form} />}
      </Dialog>
    </li>
  );
}
