import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { AccountDetails } from '~/features/account/account-details';
import { AddressList } from '~/features/account/address-list';
import { OrderHistory } from '~/features/account/order-history';
import { texts as security } from '~/features/account/security-texts';
import { SessionList } from '~/features/account/session-list';
import { SignInWays } from '~/features/account/sign-in-ways';
import { texts } from '~/features/account/texts';
import { YourData } from '~/features/account/your-data';
import { serverWords } from '~/graphql/settled';
import { SignedInOnly } from '~/session/guards';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { lazyPart } from '~/ui/lazy-part';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import { TabPanel, Tabs } from '~/ui/tabs';
import { useSearchParams } from '~/ui/use-search-params';
import { useAccountAddressesQuery, useAccountDetailsQuery } from './account.generated';
import styles from './account.module.css';
import { useOrders } from './use-orders';

const Security = lazyPart(() => import('~/features/account/security'), {
  waiting: <Waiting>Fetching how you sign in</Waiting>,
});

const tabs = [
  { id: 'details', label: texts.details },
  { id: 'orders', label: 'Orders' },
  { id: 'address', label: 'Address' },
] as const;

type Tab = (typeof tabs)[number]['id'];

interface SectionProps {
  title: string;
  /** What is awaited, in words. */
  waiting: string;
  /** What to say when it did not come. */
  failed: string | false;
  onRetry: () => void;
  children: ReactNode;
}

function Section({ title, waiting, failed, onRetry, children }: SectionProps) {
  return (
    <section className={styles.section}>
      <h2>{title}</h2>
      {children ||
        (failed ? (
          <Failure title={failed} action={<Button onClick={onRetry}>Try again</Button>} />
        ) : (
          <Waiting>{waiting}</Waiting>
        ))}
    </section>
  );
}

function DetailsTab() {
  const { data, error, refetch } = useAccountDetailsQuery({ fetchPolicy: 'cache-and-network' });
  const viewer = data?.viewer;
  const states = {
    failed: error ? (serverWords(error) ?? texts.detailsFailed) : false,
    onRetry: () => void refetch(),
  } as const;
  return (
    <>
      <Section title={texts.details} waiting="Fetching your details" {...states}>
        {viewer && <AccountDetails profile={viewer} />}
      </Section>
      {viewer && (
        <>
          <Section title="Signing in" waiting="Fetching your details" {...states}>
            <SignInWays {...viewer} googleClientId={data.shop.googleClientId} />
          </Section>
          <Section title={security.title} waiting="Fetching how you sign in" {...states}>
            <Security />
          </Section>
          <Section title="Signed in on" waiting="Fetching your browsers" {...states}>
            <SessionList {...viewer} />
          </Section>
          <Section title="Your data" waiting="Fetching your details" {...states}>
            <YourData {...viewer} />
          </Section>
        </>
      )}
    </>
  );
}

function OrdersTab() {
  const { orders, timeZone, error, retry, more, moreRefused, loadingMore } = useOrders();
  return (
    <Section
      title={texts.orderHistory}
      waiting="Fetching your orders"
      failed={error ? (serverWords(error) ?? texts.ordersFailed) : false}
      onRetry={retry}
    >
      {orders && timeZone && (
        <OrderHistory
          orders={orders.nodes}
          timeZone={timeZone}
          total={orders.totalCount}
          onMore={more}
          moreRefused={moreRefused}
          loadingMore={loadingMore}
        />
      )}
    </Section>
  );
}

function AddressTab() {
  const { data, error, refetch } = useAccountAddressesQuery({ fetchPolicy: 'cache-and-network' });
  return (
    <Section
      title={texts.addressesTitle}
      waiting="Fetching your addresses"
      failed={error ? (serverWords(error) ?? texts.addressesFailed) : false}
      onRetry={() => void refetch()}
    >
      {data?.viewer && <AddressList addresses={data.viewer.addresses} />}
    </Section>
  );
}

const panels = { details: DetailsTab, orders: OrdersTab, address: AddressTab };

/** The tab that the address names, else the one that the link here asked for. */
function useTab(): [Tab, (tab: Tab) => void] {
  const [query, setQuery] = useSearchParams();
  const state: unknown = useLocation().state;
  const linkedTab = query.get('tab') ?? (typeof state === 'object' && state && 'tab' in state ? state.tab : null);
  const chosen = tabs.find(({ id }) => id === linkedTab)?.id ?? 'details';
  return [chosen, (tab) => setQuery({ tab }, { replace: true })];
}

export default function AccountRoute() {
  const [tab, setTab] = useTab();
  const Panel = panels[tab];
  return (
    <SignedInOnly>
      <Screen title="Account">
        <h1>Account</h1>
        <div className={styles.tabs}>
          <Tabs label="Account" name="account" tabs={tabs} chosen={tab} onChoose={setTab} lined />
        </div>
        <TabPanel name="account" chosen={tab}>
          <Panel />
        </TabPanel>
      </Screen>
    </SignedInOnly>
  );
}
