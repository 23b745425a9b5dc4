import { useState } from 'react';
import { useRetryRefundMutation } from './order.generated';
import { done, type Refusal } from './outcome';
import { texts } from './texts';

/** Asks once more for a refund that failed; `version` is the order's, null where there is none. */
export function useRetry(id: string, version: string | null) {
  const [retryRefund, { loading }] = useRetryRefundMutation({ refetchQueries: ['AdminTroubles', 'AdminCounts'] });
  const [refusal, setRefusal] = useState<Refusal>();

  async function again() {
    const words = { done: texts.retried, otherwise: texts.changeFailed };
    setRefusal(await done(retryRefund({ variables: { id, version } }), (data) => data.retryRefund, words));
  }

  return { again, loading, refusal, clearRefusal: () => setRefusal(undefined) };
}
