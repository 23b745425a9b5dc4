import { useParams } from 'react-router';
import { Slip } from '~/features/admin/orders/slip';
import styles from '~/features/admin/orders/slip.module.css';
import { texts } from '~/features/admin/orders/texts';
import { PanelFailure } from '~/features/admin/panel';
import { serverWords } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { Link } from '~/ui/link';
import { Waiting } from '~/ui/ring';
import { useSearchParams } from '~/ui/use-search-params';
import { useAdminOrderQuery } from './admin-order.generated';

/** The packing slip of a shipment. */
export default function SlipScreen() {
  const { orderId = '' } = useParams();
  const [query] = useSearchParams();
  const { data, error } = useAdminOrderQuery({ variables: { id: orderId }, fetchPolicy: 'cache-and-network' });
  const order = data?.admin?.order;

  if (!order) {
    if (!data && !error) return <Waiting>Fetching the order</Waiting>;
    return <PanelFailure>{error ? (serverWords(error) ?? texts.orderFailed) : texts.noOrder}</PanelFailure>;
  }
  return (
    <>
      <div className={styles.tools}>
        <Link to={`/admin/orders/${order.id}`} className="link small">
          {order.number}
        </Link>
        <Button small kind="primary" onClick={() => window.print()}>
          Print
        </Button>
      </div>
      <Slip order={order} parcelId={query.get('parcel')} />
    </>
  );
}
