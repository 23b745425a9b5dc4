import { toast } from '~/ui/toast';
import { done } from './outcome';
import { useRetryRefundMutation } from './order.generated';
import { texts } from './texts';

/** Asks once more for a refund that failed; a refusal is said aloud. */
export function useRetry(id: string) {
  const [retryRefund, { loading }] = useRetryRefundMutation({ refetchQueries: ['AdminTroubles', 'AdminCounts'] });

  async function again() {
    const words = { done: texts.retried, otherwise: texts.changeFailed };
    const refusal = await done(retryRefund({ variables: { id } }), (data) => data.retryRefund, words);
    if (refusal) toast.error(refusal);
  }

  return { again, loading };
}
