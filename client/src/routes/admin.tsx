import { Suspense, useEffect } from 'react';
import { AccessDenied, PanelFailure, SecondFactorMissing } from '~/features/admin/panel';
import { texts } from '~/features/admin/texts';
import { useAdminEventSource } from '~/features/admin/use-admin-events';
import { serverWords } from '~/graphql/settled';
import { useNeedsSession } from '~/session/needs-session';
import { session } from '~/session/storage';
import { useUser } from '~/session/use-session';
import { Waiting } from '~/ui/ring';
import { Screen } from '~/ui/screen';
import { TabPanel } from '~/ui/tabs';
import { TimeZone } from '~/ui/time-zone';
import { useSearchParams } from '~/ui/use-search-params';
import { useAdminViewerQuery } from './admin.generated';
import styles from './admin.module.css';
import { Rooms, useIsNarrow } from './admin-rooms';
import { type ScreenId, screens, tabs } from './admin-screens';
import type { AdminViewer } from './admin-viewer';

interface DashboardProps {
  viewer: AdminViewer;
  screen: ScreenId | undefined;
  /** The server tells this account nothing more; it may be an admin no longer. */
  onSilenced: () => void;
}

/** What is shown, and the name under which the rooms list it. */
function placeOf(screen: ScreenId | undefined, chosen: string | null) {
  const tab = tabs.find(({ id }) => id === chosen) ?? tabs[0];
  return screen ? { ...screens[screen], current: screens[screen].under } : { ...tab, current: tab.id };
}

function Dashboard({ viewer, screen, onSilenced }: DashboardProps) {
  const [query] = useSearchParams();
  useAdminEventSource(onSilenced);
  const isNarrow = useIsNarrow();
  const { Screen: Shown, current } = placeOf(screen, query.get('tab'));
  const tab = tabs.find(({ id }) => id === current);
  const shown = (
    <Suspense fallback={<Waiting>{texts.opening}</Waiting>}>
      <Shown viewer={viewer} />
    </Suspense>
  );

  if (!tab) return shown;
  return (
    <TabPanel name="admin" chosen={current} label={isNarrow ? tab.label : undefined}>
      {shown}
    </TabPanel>
  );
}

function Content({ screen }: { screen: ScreenId | undefined }) {
  const { data, error, refetch } = useAdminViewerQuery({ fetchPolicy: 'cache-and-network' });
  const [query] = useSearchParams();
  const viewer = data?.viewer;
  const isAdmin = viewer?.role === 'ADMIN';
  const isSignedOut = data?.viewer === null;

  useEffect(() => {
    if (isSignedOut) session.expire();
  }, [isSignedOut]);

  return (
    <>
      <div className={styles.side}>
        <h1 className="h1-calm">{texts.title}</h1>
        {isAdmin && !viewer.secondFactorMissing && (
          <Rooms viewer={viewer} current={placeOf(screen, query.get('tab')).current} isScreen={screen !== undefined} />
        )}
      </div>
      {!viewer && error && <PanelFailure>{serverWords(error) ?? texts.statusFailed}</PanelFailure>}
      {!viewer && !error && <Waiting>Checking your admin status</Waiting>}
      {viewer && !isAdmin && <AccessDenied />}
      {isAdmin && viewer.secondFactorMissing && <SecondFactorMissing />}
      {data && isAdmin && !viewer.secondFactorMissing && (
        <TimeZone name={data.shop.timeZone}>
          <Dashboard viewer={viewer} screen={screen} onSilenced={() => void refetch()} />
        </TimeZone>
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
