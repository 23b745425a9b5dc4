import type { ReactNode } from 'react';
import { ReservationTable } from '~/features/admin/orders/reservation-table';
import { texts } from '~/features/admin/orders/texts';
import { Panel } from '~/features/admin/panel';
import { ShopDays } from '~/features/admin/shop-days';
import { serverWords } from '~/graphql/settled';
import { Pager } from '~/ui/pager';
import type { ListQuery } from '~/ui/use-list-query';
import styles from './admin.module.css';
import { useAdminReservationsQuery } from './admin-reservations.generated';

const PAGE = 50;
const LOOK_AGAIN_MS = 30_000;

interface ReservationsProps {
  list: Pick<ListQuery<Record<string, string>>, 'after' | 'page' | 'next' | 'previous'>;
  /** Beside the title. */
  aside: ReactNode;
}

/** What open checkouts hold for a payment, for admins to end one. */
export function Reservations({ list, aside }: ReservationsProps) {
  const { data, previousData, error } = useAdminReservationsQuery({
    variables: { after: list.after },
    fetchPolicy: 'cache-and-network',
    pollInterval: LOOK_AGAIN_MS,
  });
  const { reservations, timeZone } = (data ?? previousData)?.admin ?? {};
  return (
    <Panel
      title={texts.reservations}
      waiting="Fetching reservations"
      failed={error ? (serverWords(error) ?? texts.reservationsFailed) : false}
      aside={aside}
    >
      {reservations && timeZone && (
        <div className={styles.screen}>
          <p>{texts.aboutReservations}</p>
          <ShopDays timeZone={timeZone} />
          <ReservationTable reservations={reservations.nodes} timeZone={timeZone} stale={!data} />
          <Pager
            list={list}
            size={PAGE}
            shown={reservations.nodes.length}
            total={reservations.totalCount}
            pageInfo={reservations.pageInfo}
          />
        </div>
      )}
    </Panel>
  );
}
