import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { texts } from '~/features/admin/texts';
import { useAdminEvents, withoutDeduplication } from '~/features/admin/use-admin-events';
import { Dialog } from '~/ui/dialog';
import { formatNumber } from '~/ui/format';
import { MenuIcon } from '~/ui/icons';
import { Link } from '~/ui/link';
import { Tabs } from '~/ui/tabs';
import tabStyles from '~/ui/tabs.module.css';
import { useMedia } from '~/ui/use-media';
import { useAdminCountsQuery } from './admin.generated';
import styles from './admin-rooms.module.css';
import { busiest, links, tabs } from './admin-screens';
import type { AdminViewer } from './admin-viewer';

const PAUSE_MS = 300;

type Counts = Partial<Record<string, number>>;

/** Below this the rooms stand in a bar at the lower edge instead of a side bar. */
export const useIsNarrow = () => useMedia('(max-width: 959.98px)');

/** What waits behind each name; counted anew after every event, once they pause. */
function useCounts(): Counts {
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

/** A name with how much waits there; nothing is said of nothing. */
function Counted({ label, count }: { label: string; count: number | undefined }) {
  if (!count) return label;
  return (
    <>
      {label} <span className={styles.count}>{formatNumber(count)}</span>
    </>
  );
}

interface RoomsProps {
  viewer: AdminViewer;
  /** The room, or the tab, that is shown. */
  current: string;
  /** Whether a further screen is shown, to which Back leads from a tab. */
  isScreen: boolean;
}

type ListProps = RoomsProps & { counts: Counts };

/** All rooms: the four tabs, the further ones, and who looks. */
function RoomList({ viewer, current, isScreen, counts }: ListProps) {
  const navigate = useNavigate();
  return (
    <>
      <Tabs
        vertical
        label={texts.title}
        name="admin"
        tabs={tabs.map(({ id, label }) => ({ id, label: <Counted label={label} count={counts[id]} /> }))}
        chosen={tabs.find(({ id }) => id === current)?.id ?? null}
        onChoose={(tab) => void navigate(`/admin?tab=${tab}`, { replace: !isScreen })}
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
      <p className={styles.who}>
        Signed in as {viewer.email}, <strong>{viewer.isPrimaryAdmin ? texts.primaryAdmin : texts.admin}</strong>
      </p>
    </>
  );
}

/** The four busiest rooms at the lower edge, and a sheet with all of them. */
function BottomBar(props: ListProps) {
  const { current, counts } = props;
  const { key } = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);

  return (
    <>
      <nav className={styles.bar} aria-label={texts.busiest}>
        {busiest.map(({ id, label, to }) => (
          <Link key={id} to={to} aria-current={id === current ? 'page' : undefined}>
            <Counted label={label} count={counts[id]} />
          </Link>
        ))}
        <button type="button" aria-haspopup="dialog" onClick={() => setOpenAt(key)}>
          <MenuIcon />
          {texts.allRooms}
        </button>
      </nav>
      {/* A choice leads elsewhere, and the sheet goes. */}
      <Dialog sheet open={openAt === key} title={texts.title} onClose={() => setOpenAt(null)}>
        <div className={styles.rooms}>
          <RoomList {...props} />
        </div>
      </Dialog>
    </>
  );
}

/** The rooms of the back office: beside the screen where there is room, else below it. */
export function Rooms(props: RoomsProps) {
  const counts = useCounts();
  if (useIsNarrow()) return <BottomBar {...props} counts={counts} />;
  return (
    <div className={styles.rooms}>
      <RoomList {...props} counts={counts} />
    </div>
  );
}
