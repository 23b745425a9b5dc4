import { useNavigate, useParams } from 'react-router';
import { Panel, PrivilegeNote } from '~/features/admin/panel';
import { CustomerAddresses } from '~/features/admin/people/customer-addresses';
import { CustomerFacts } from '~/features/admin/people/customer-facts';
import { CustomerOrders } from '~/features/admin/people/customer-orders';
import { CustomerSessions } from '~/features/admin/people/customer-sessions';
import { texts } from '~/features/admin/people/texts';
import { failure } from '~/graphql/list-page';
import { ButtonLink } from '~/ui/button';
import { Empty } from '~/ui/empty';
import { Pager } from '~/ui/pager';
import { useListQuery } from '~/ui/use-list-query';
import type { AdminViewer } from './admin-viewer';
import { type AdminCustomerQuery, useAdminCustomerQuery } from './admin-customer.generated';

const NOTE = 'customer-note';
const PAGE = 20;
const USERS = '/admin?tab=users';

type Customer = NonNullable<NonNullable<AdminCustomerQuery['admin']>['user']>;

function Orders({ orders }: Pick<Customer, 'orders'>) {
  const list = useListQuery({});
  return (
    <Panel title="Orders">
      <CustomerOrders orders={orders.nodes} />
      {orders.totalCount > PAGE && (
        <Pager
          list={list}
          size={PAGE}
          shown={orders.nodes.length}
          total={orders.totalCount}
          pageInfo={orders.pageInfo}
        />
      )}
    </Panel>
  );
}

function Page({ customer, viewer }: { customer: Customer; viewer: AdminViewer }) {
  const navigate = useNavigate();
  const allowed = viewer.isPrimaryAdmin;
  return (
    <>
      <PrivilegeNote id={NOTE} allowed={allowed} />
      <CustomerFacts
        customer={customer}
        isSelf={customer.id === viewer.id}
        allowed={allowed}
        noteId={NOTE}
        onDeleted={() => void navigate(USERS, { replace: true })}
      />
      <Orders orders={customer.orders} />
      <Panel title="Sessions">
        <CustomerSessions customer={customer} allowed={allowed || customer.role !== 'ADMIN'} noteId={NOTE} />
      </Panel>
      <Panel title="Addresses">
        <CustomerAddresses addresses={customer.addresses} />
      </Panel>
    </>
  );
}

/** One account, with what it bought and where it is signed in. */
export default function CustomerScreen({ viewer }: { viewer: AdminViewer }) {
  const { userId = '' } = useParams();
  const { after } = useListQuery({});
  const { data, previousData, error, refetch } = useAdminCustomerQuery({
    variables: { id: userId, after },
    fetchPolicy: 'cache-and-network',
  });
  const customer = (data ?? (error ? undefined : previousData))?.admin?.user;

  if (customer) return <Page customer={customer} viewer={viewer} />;
  if (customer === null) {
    return (
      <Empty title={texts.noCustomer} action={<ButtonLink to={USERS}>Back to User Control</ButtonLink>}>
        {texts.noCustomerText}
      </Empty>
    );
  }
  return (
    <Panel
      title="Customer"
      waiting="Fetching the customer"
      failed={failure(error, texts.customerFailed)}
      onRetry={() => void refetch()}
    >
      {null}
    </Panel>
  );
}
