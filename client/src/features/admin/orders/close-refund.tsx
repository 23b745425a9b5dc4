import { type FormEvent, useState } from 'react';
import { Dialog } from '~/ui/dialog';
import { Field } from '~/ui/field';
import { FormEnd } from './form-end';
import { done } from './outcome';
import { useCloseRefundMutation } from './order.generated';
import { texts } from './texts';

interface CloseRefundProps {
  id: string;
  onClose: () => void;
}

function CloseRefundForm({ id, onClose }: CloseRefundProps) {
  const [closeRefund, { loading }] = useCloseRefundMutation({ refetchQueries: ['AdminTroubles', 'AdminCounts'] });
  const [words, setWords] = useState('');
  const [refusal, setRefusal] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const said = { done: texts.closed, otherwise: texts.changeFailed };
    const why = await done(closeRefund({ variables: { id, words } }), (data) => data.closeRefund, said);
    setRefusal(why);
    if (!why) onClose();
  }

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <p>The money went another way, such as a bank transfer. The refund will not be tried again. {texts.lost}</p>
      <Field label="How it went" value={words} onChange={({ target }) => setWords(target.value)} />
      <FormEnd refusal={refusal} submit="Close it" working={loading && 'Closing ...'} onClose={onClose} />
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
