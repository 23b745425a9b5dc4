import { useParams } from 'react-router';
import { OrderCard } from '~/features/account/order-card';
import { texts } from '~/features/account/texts';
import { serverWords } from '~/graphql/settled';
import { useRefetchOnFocus } from '~/graphql/use-refetch-on-focus';
import { SignedInOnly } from '~/session/guards';
import { Button, ButtonLink } from '~/ui/button';
import { Empty, Failure } from '~/ui/empty';
import { Link } from '~/ui/link';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import styles from './order.module.css';
import { useAccountOrderQuery } from './order.generated';
import { awaitsRefund, REFUND_POLL_MS } from './use-orders';

const history = '/account?tab=orders';

function Order({ orderId }: { orderId: string }) {
  const { data, error, refetch } = useAccountOrderQuery({
    variables: { id: orderId },
    fetchPolicy: 'cache-and-network',
  });
  const order = data?.viewer?.order;
  useRefetchOnFocus(refetch, order && awaitsRefund(order) ? REFUND_POLL_MS : undefined);

  if (order)
    return (
      <Screen title={`Order ${order.number}`}>
        <h1>Order {order.number}</h1>
        <div className={styles.order}>
          <OrderCard order={order} timeZone={data.shop.timeZone} />
          <p>
            <Link to={history} className="link">
              {texts.orderHistory}
            </Link>
          </p>
        </div>
      </Screen>
    );
  if (error && !data)
    return (
      <Screen title="Order">
        <Failure
          title={serverWords(error) ?? texts.ordersFailed}
          action={<Button onClick={() => void refetch()}>Try again</Button>}
        />
      </Screen>
    );
  if (!data?.viewer)
    return (
      <Screen title="Order">
        <Waiting>Fetching your order</Waiting>
      </Screen>
    );
  return (
    <Screen title={texts.noOrder}>
      <Empty as="h1" title={texts.noOrder} action={<ButtonLink to={history}>{texts.orderHistory}</ButtonLink>}>
        {texts.otherAccount}
      </Empty>
    </Screen>
  );
}

/** /account/orders/:orderId, where the mails about an order lead; by way of the sign-in where there is no session. */
export default function OrderRoute() {
  const { orderId = '' } = useParams();
  return (
    <SignedInOnly comesBack>
      <Order key={orderId} orderId={orderId} />
    </SignedInOnly>
  );
}
