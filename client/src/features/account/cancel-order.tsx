import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { ConfirmDialog } from '~/ui/dialog';
import { formatPrice } from '~/ui/price';
import { toast } from '~/ui/toast';
import { type OrderCardFragment, useCancelOrderMutation } from './order.generated';
import { texts } from './texts';

interface CancelOrderProps {
  order: OrderCardFragment;
  open: boolean;
  onClose: () => void;
}

/** Says what canceling does before it is done; the order changes only once the server has answered. */
export function CancelOrder({ order, open, onClose }: CancelOrderProps) {
  const [cancelOrder, { loading }] = useCancelOrderMutation();
  const [refusal, setRefusal] = useState<string | null>(null);

  function close() {
    setRefusal(null);
    onClose();
  }

  async function confirm() {
    setRefusal(null);
    const { data, message } = await toResult(cancelOrder({ variables: { id: order.id } }));
    const result = data?.cancelOrder;
    if (result?.__typename !== 'Order') {
      setRefusal(result?.message ?? message ?? texts.cancelFailed);
      return;
    }
    toast.success(`Order ${order.number} is canceled`);
    close();
  }

  const money = formatPrice(order.totalAmount);
  const payment = order.isDisputed
    ? `You disputed the payment of ${money} with your bank, so the bank decides whether that goes back to you; if it stays with us, we pay it back to your card then. The pieces go`
    : `${money} goes back to the card in full, and the pieces`;
  return (
    <ConfirmDialog
      open={open}
      title={`Cancel order ${order.number}`}
      text={`${payment} back on the shelf for others. This action cannot be undone.`}
      confirm="Cancel order"
      dismiss="Keep order"
      refusal={refusal}
      working={loading && 'Canceling ...'}
      onConfirm={() => void confirm()}
      onClose={close}
    />
  );
}
