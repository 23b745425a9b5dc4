import type { ReactNode } from 'react';
import { ListPanel } from '~/features/admin/list';
import { ReservationTable } from '~/features/admin/orders/reservation-table';
import { texts } from '~/features/admin/orders/texts';
import { ShopDays } from '~/features/admin/shop-days';
import { listPage } from '~/graphql/list-page';
import type { ListQuery } from '~/ui/use-list-query';
import { useAdminReservationsQuery } from './admin-reservations.generated';

const LOOK_AGAIN_MS = 30_000;

interface ReservationsProps {
  list: Pick<ListQuery<Record<string, string>>, 'after' | 'page' | 'next' | 'previous'>;
  /** Beside the title. */
  aside: ReactNode;
}

/** What open checkouts hold for a payment, for admins to end one. */
export function Reservations({ list, aside }: ReservationsProps) {
  const result = useAdminReservationsQuery({
    variables: { after: list.after },
    fetchPolicy: 'cache-and-network',
    pollInterval: LOOK_AGAIN_MS,
  });
  const page = listPage(result, ({ admin }) => admin?.reservations);
  return (
    <ListPanel
      title={texts.reservations}
      waiting="Fetching reservations"
      failed={texts.reservationsFailed}
      aside={aside}
      list={list}
      page={page}
      above={
        <>
          <p>{texts.aboutReservations}</p>
          <ShopDays />
        </>
      }
    >
      {(reservations, stale) => <ReservationTable reservations={reservations} stale={stale} />}
    </ListPanel>
  );
}
