import { useState } from 'react';
import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { Dialog } from '~/ui/dialog';
import { Field } from '~/ui/field';
import styles from './order.module.css';
import { useSettleRefundMutation } from './order.generated';
import { OrderFormEnd } from './order-form-end';
import { texts } from './texts';

interface CloseRefundProps {
  id: string;
  /** Of the refund's order; null where there is none. */
  version: string | null;
  onClose: () => void;
}

const rules = v.object({ words: v.string() });

function CloseRefundForm({ id, version, onClose }: CloseRefundProps) {
  const [seen] = useState(version);
  const [settleRefund] = useSettleRefundMutation({ refetchQueries: ['AdminTroubles', 'AdminCounts'] });
  const { changes, field, isSending, onSubmit, refusal } = useSentForm({
    rules,
    defaultValues: { words: '' },
    send: ({ words }) => settleRefund({ variables: { id, version: seen, words } }),
    done: 'OrderChanged',
    onDone: onClose,
    success: texts.closed,
    otherwise: texts.changeFailed,
  });

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>The money went another way, such as a bank transfer. The refund will not be tried again. {texts.lost}</p>
      <Field label="How it went" {...field('words')} />
      <OrderFormEnd
        refusal={refusal}
        changes={changes}
        submit="Close it"
        working={isSending && 'Closing ...'}
        cancel={texts.notNow}
        onCancel={onClose}
      />
    </form>
  );
}

/** A failed refund that was settled without the provider. */
export function CloseRefundDialog({ open, ...props }: CloseRefundProps & { open: boolean }) {
  return (
    <Dialog open={open} title="Close a failed refund" onClose={props.onClose}>
      <CloseRefundForm {...props} />
    </Dialog>
  );
}
