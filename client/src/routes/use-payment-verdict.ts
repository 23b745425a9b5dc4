import { useEffect, useRef, useState } from 'react';
import type { PaidOrderFragment } from '~/features/checkout/complete-checkout.generated';
import { paid, refused, type Verdict, verdictOf } from '~/features/checkout/verdict';
import { checkoutMemory } from '~/session/checkout-memory';
import { usePaymentReturnQuery } from './payment-return.generated';
import { useConfirmation } from './use-confirmation';

const CONFIRM_AFTER_MS = 100;

interface Outcome {
  /** Null until it is known how it went. */
  verdict: Verdict | null;
  order?: PaidOrderFragment | undefined;
}

function alreadyKnown(sessionId: string | null): Verdict | null {
  if (!sessionId) return refused;
  return checkoutMemory.processedSessionId() === sessionId ? paid : null;
}

/** Confirms the order of a payment session, once. The order of one that was confirmed before is only read. */
export function usePaymentVerdict(sessionId: string | null): Outcome & { timeZone: string | undefined } {
  const [outcome, setOutcome] = useState<Outcome>(() => ({ verdict: alreadyKnown(sessionId) }));
  const confirm = useConfirmation();
  const [wasConfirmed] = useState(outcome.verdict === paid);
  const isConfirmed = useRef(outcome.verdict !== null);
  const { data } = usePaymentReturnQuery({
    variables: { sessionId: sessionId ?? '', isConfirmed: wasConfirmed },
    skip: !sessionId,
  });

  useEffect(() => {
    if (isConfirmed.current || !sessionId) return;
    const timer = setTimeout(async () => {
      isConfirmed.current = true;
      const { answer, error } = await confirm(sessionId);
      const order = answer?.__typename === 'CheckoutCompleted' ? answer.order : undefined;
      setOutcome({ verdict: verdictOf(answer, error), order });
    }, CONFIRM_AFTER_MS);
    return () => clearTimeout(timer);
  }, [confirm, sessionId]);

  return {
    verdict: outcome.verdict,
    order: outcome.order ?? data?.viewer?.orderOfSession ?? undefined,
    timeZone: data?.shop.timeZone,
  };
}
