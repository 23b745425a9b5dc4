import { PaymentResult } from '~/features/checkout/payment-result';
import { SignedInOnly } from '~/session/guards';
import { Screen } from '~/ui/screen';
import { useSearchParams } from '~/ui/use-search-params';
import { usePaymentVerdict } from './use-payment-verdict';

function PaymentReturn() {
  const [query] = useSearchParams();
  return <PaymentResult verdict={usePaymentVerdict(query.get('session_id'))} />;
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
