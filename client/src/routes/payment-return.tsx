import { PaidAt, PaidFacts, PaidPieces } from '~/features/checkout/paid-order';
import { PaymentResult } from '~/features/checkout/payment-result';
import { SignedInOnly } from '~/session/guards';
import { useUser } from '~/session/use-session';
import { Screen } from '~/ui/screen';
import { useSearchParams } from '~/ui/use-search-params';
import styles from './payment-return.module.css';
import { usePaymentVerdict } from './use-payment-verdict';

function PaymentReturn() {
  const [query] = useSearchParams();
  const { verdict, order, timeZone } = usePaymentVerdict(query.get('session_id'));
  const email = useUser()?.email ?? '';
  if (!order || !timeZone) return <PaymentResult verdict={verdict} />;
  return (
    <div className={styles.columns}>
      <PaymentResult verdict={verdict} paidAt={<PaidAt order={order} timeZone={timeZone} />}>
        <PaidFacts order={order} timeZone={timeZone} email={email} />
      </PaymentResult>
      <PaidPieces order={order} />
    </div>
  );
}

export default function PaymentReturnRoute() {
  return (
    <SignedInOnly>
      <Screen title="Payment">
        <PaymentReturn />
      </Screen>
    </SignedInOnly>
  );
}
