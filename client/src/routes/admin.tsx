import { Suspense, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { AccessDenied, PanelFailure, SecondFactorMissing } from '~/features/admin/panel';
import { texts } from '~/features/admin/texts';
import { withoutDeduplication, useAdminEvents, useAdminEventSource } from '~/features/admin/use-admin-events';
import { serverWords } from '~/graphql/settled';
import { useNeedsSession } from '~/session/needs-session';
import { session } from '~/session/storage';
import { useUser } from '~/session/use-session';
import { formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import { TabPanel, Tabs } from '~/ui/tabs';
import tabStyles from '~/ui/tabs.module.css';
import { useSearchParams } from '~/ui/use-search-params';
import { useAdminCountsQuery, useAdminViewerQuery } from './admin.generated';
import styles from './admin.module.css';
import { links, type ScreenId, screens, type TabId, tabs } from './admin-screens';
import type { AdminViewer } from './admin-viewer';

const PAUSE_MS = 300;

/** A name with how much waits there; nothing is said of nothing. */
function Counted({ label, count }: { label: string; count: number | undefined }) {
  if (!count) return label;
  return (
    <>
      {label} <span className={styles.count}>{formatNumber(count)}</span>
    </>
  );
}

/** What waits behind each name; counted anew after every event, once they pause. */
function useCounts(): Partial<Record<string, number>> {
  const { data, refetch } = useAdminCountsQuery({ fetchPolicy: 'cache-and-network', context: withoutDeduplication });
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useAdminEvents(() => {
    clearTimeout(pause.current);
    pause.current = setTimeout(() => void refetch(), PAUSE_MS);
  });
  useEffect(() => () => clearTimeout(pause.current), []);
  return {
    users: data?.admin?.adminRequestCount,
    orders: data?.admin?.orderQueue.toShip,
    stock: data?.admin?.stockSummary.low,
  };
}

interface PlacesProps {
  viewer: AdminViewer;
  current: string;
  screen: ScreenId | undefined;
}

function Places({ viewer, current, screen }: PlacesProps) {
  const navigate = useNavigate();
  const counts = useCounts();
  const bar = useRef<HTMLDivElement>(null);

  // On a narrow window the name of where one is may lie beyond the edge.
  useEffect(() => {
    const here = bar.current?.querySelector('[aria-selected="true"], [aria-current]')?.getBoundingClientRect();
    if (bar.current && here) bar.current.scrollLeft += here.left + here.width / 2 - window.innerWidth / 2;
  }, []);

  return (
    <div ref={bar} className={styles.places}>
      <Tabs
        label={texts.title}
        name="admin"
        tabs={tabs.map(({ id, label }) => ({ id, label: <Counted label={label} count={counts[id]} /> }))}
        chosen={tabs.find(({ id }) => id === current)?.id ?? null}
        onChoose={(tab) => void navigate(`/admin?tab=${tab}`, { replace: !screen })}
      />
      <nav className={styles.links} aria-label={texts.furtherScreens}>
        {links
          .filter(({ ownerOnly }) => !ownerOnly || viewer.isPrimaryAdmin)
          .map(({ id, label, to }) => (
            <Link key={id} to={to} className={tabStyles.tab} aria-current={id === current ? 'page' : undefined}>
              <Counted label={label} count={counts[id]} />
            </Link>
          ))}
      </nav>
    </div>
  );
}

interface DashboardProps {
  viewer: AdminViewer;
  screen: ScreenId | undefined;
  /** The server tells this account nothing more; it may be an admin no longer. */
  onSilenced: () => void;
}

function Dashboard({ viewer, screen, onSilenced }: DashboardProps) {
  const [query] = useSearchParams();
  useAdminEventSource(onSilenced);
  const tab = tabs.find(({ id }) => id === query.get('tab')) ?? tabs[0];
  const { Screen } = screen ? screens[screen] : tab;
  const current = screen ? screens[screen].under : tab.id;
  const shown = (
    <Suspense fallback={<Waiting>{texts.opening}</Waiting>}>
      <Screen viewer={viewer} />
    </Suspense>
  );

  return (
    <>
      <Places viewer={viewer} current={current} screen={screen} />
      {isTab(current) ? (
        <TabPanel name="admin" chosen={current}>
          {shown}
        </TabPanel>
      ) : (
        shown
      )}
    </>
  );
}

const isTab = (id: string): id is TabId => tabs.some((tab) => tab.id === id);

function WhoLooks({ viewer }: { viewer: AdminViewer }) {
  return (
    <p className={styles.who}>
      Signed in as {viewer.email}, <strong>{viewer.isPrimaryAdmin ? texts.primaryAdmin : texts.admin}</strong>
    </p>
  );
}

function Content({ screen }: { screen: ScreenId | undefined }) {
  const { data, error, refetch } = useAdminViewerQuery({ fetchPolicy: 'cache-and-network' });
  const viewer = data?.viewer;
  const isAdmin = viewer?.role === 'ADMIN';
  const isSignedOut = data?.viewer === null;

  useEffect(() => {
    if (isSignedOut) session.expire();
  }, [isSignedOut]);

  return (
    <>
      <div className={styles.head}>
        <h1 className="h1-calm">{texts.title}</h1>
        {isAdmin && <WhoLooks viewer={viewer} />}
      </div>
      {!viewer && error && <PanelFailure>{serverWords(error) ?? texts.statusFailed}</PanelFailure>}
      {!viewer && !error && <Waiting>Checking your admin status</Waiting>}
      {viewer && !isAdmin && <AccessDenied />}
      {isAdmin && viewer.secondFactorMissing && <SecondFactorMissing />}
      {isAdmin && !viewer.secondFactorMissing && (
        <Dashboard viewer={viewer} screen={screen} onSilenced={() => void refetch()} />
      )}
    </>
  );
}

/** The back office: its four tabs, or one of its further screens. Its router leads visitors to sign-in. */
export default function AdminRoute({ screen }: { screen?: ScreenId }) {
  useNeedsSession();
  const user = useUser();
  if (!user) return null;
  return (
    <Screen title={texts.title} className={styles.screen}>
      <Content screen={screen} />
    </Screen>
  );
}
