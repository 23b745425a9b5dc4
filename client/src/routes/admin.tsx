import { useSearchParams } from 'react-router';
import { AccessDenied, PanelFailure } from '~/features/admin/panel';
import { texts } from '~/features/admin/texts';
import { serverWords } from '~/graphql/settled';
import { SignedInOnly } from '~/session/guards';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import { TabPanel, Tabs } from '~/ui/tabs';
import { type AdminViewerQuery, useAdminViewerQuery } from './admin.generated';
import styles from './admin.module.css';
import { AnalyticsTab } from './admin-analytics';
import { CreateProductTab } from './admin-create-product';
import { ProductsTab } from './admin-products';
import { UsersTab } from './admin-users';

export type AdminViewer = NonNullable<AdminViewerQuery['viewer']>;

const tabs = [
  { id: 'users', label: 'User Control', Panel: UsersTab },
  { id: 'products', label: 'Product Control', Panel: ProductsTab },
  { id: 'analytics', label: 'Analytics', Panel: AnalyticsTab },
  { id: 'create', label: 'Create New Product', Panel: CreateProductTab },
] as const;

function Dashboard({ viewer }: { viewer: AdminViewer }) {
  const [query, setQuery] = useSearchParams();
  const { id: chosen, Panel } = tabs.find(({ id }) => id === query.get('tab')) ?? tabs[0];

  return (
    <>
      <div className={styles.tabs}>
        <Tabs
          label={texts.title}
          name="admin"
          tabs={tabs}
          chosen={chosen}
          onChoose={(tab) => setQuery({ tab }, { replace: true })}
          lined
        />
      </div>
      <TabPanel name="admin" chosen={chosen}>
        <Panel viewer={viewer} />
      </TabPanel>
    </>
  );
}

function Content() {
  const { data, error } = useAdminViewerQuery({ fetchPolicy: 'cache-and-network' });
  const viewer = data?.viewer;

  if (!viewer) {
    return error ? (
      <PanelFailure>{serverWords(error) ?? texts.statusFailed}</PanelFailure>
    ) : (
      <Waiting>Checking your admin status</Waiting>
    );
  }
  return viewer.role === 'ADMIN' ? <Dashboard viewer={viewer} /> : <AccessDenied />;
}

export default function AdminRoute() {
  return (
    <SignedInOnly>
      <Screen title={texts.title} className={styles.screen}>
        <h1 className="h1-calm">{texts.title}</h1>
        <Content />
      </Screen>
    </SignedInOnly>
  );
}
