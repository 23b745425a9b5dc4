import type { ReactNode } from 'react';
import { ButtonLink } from '~/ui/button';
import { Waiting } from '~/ui/ring';
import styles from './payment-result.module.css';
import { texts } from './texts';
import type { Verdict } from './verdict';

const titles: Record<Verdict['state'], string> = {
  paid: texts.paid,
  underWay: texts.underWay,
  refused: texts.refused,
};

interface PaymentResultProps {
  /** Null while it is being asked. */
  verdict: Verdict | null;
  /** When it was paid, in words. */
  paidAt?: ReactNode;
  /** What is to be said of the order, between the verdict and the ways on. */
  children?: ReactNode;
}

/** How the payment went, and the ways on: a failed one leads back to where it is tried again. */
export function PaymentResult({ verdict, paidAt, children }: PaymentResultProps) {
  if (!verdict) {
    return (
      <>
        <h1 className="visually-hidden">Payment</h1>
        <Waiting>{texts.confirming}</Waiting>
      </>
    );
  }

  const { state, message, reason, back } = verdict;
  return (
    <div className={styles.result}>
      <div className={styles.verdict} role="status">
        {paidAt}
        <h1 className="h1-calm">{titles[state]}</h1>
        <p className={styles.message}>{message}</p>
        {reason && <p className="soft">{reason}</p>}
      </div>
      {children}
      <div className={styles.ways}>
        {back && (
          <ButtonLink kind="primary" to={back}>
            {texts.backTo[back]}
          </ButtonLink>
        )}
        <ButtonLink kind={back ? 'second' : 'primary'} to="/account" state={{ tab: 'orders' }}>
          {texts.viewOrders}
        </ButtonLink>
        <ButtonLink to="/">{texts.continueShopping}</ButtonLink>
      </div>
    </div>
  );
}
