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

/** How the payment went; null while it is being asked. */
export function PaymentResult({ verdict }: { verdict: Verdict | null }) {
  if (!verdict) {
    return (
      <>
        <h1 className="visually-hidden">Payment</h1>
        <Waiting>{texts.confirming}</Waiting>
      </>
    );
  }

  const refused = verdict.state === 'refused';
  return (
    <div className={styles.result} role="status">
      <h1 className="h1-calm">{titles[verdict.state]}</h1>
      <p>{verdict.message}</p>
      <div className={styles.ways}>
        <ButtonLink kind={refused ? 'second' : 'primary'} to="/account" state={{ tab: 'orders' }}>
          {texts.viewOrders}
        </ButtonLink>
        <ButtonLink kind={refused ? 'primary' : 'second'} to="/">
          {texts.continueShopping}
        </ButtonLink>
      </div>
    </div>
  );
}
