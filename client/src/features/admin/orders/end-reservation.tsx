import { useState } from 'react';
import { toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ConfirmDialog } from '~/ui/dialog';
import { toast } from '~/ui/toast';
import { type ReservationRowFragment, useReleaseReservationMutation } from './reservation.generated';
import { texts } from './texts';

/** Closes a shopper's open payment, after a question; where it has been paid meanwhile, says which order it became. */
export function EndReservation({ reservation: { id, name, email } }: { reservation: ReservationRowFragment }) {
  const [releaseReservation, { loading }] = useReleaseReservationMutation({
    refetchQueries: ['AdminReservations', 'AdminCounts'],
  });
  const [asking, setAsking] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const who = name || email;

  function close() {
    setRefusal(null);
    setAsking(false);
  }

  async function confirm() {
    setRefusal(null);
    const { data, message } = await toResult(releaseReservation({ variables: { id } }));
    const result = data?.releaseReservation;
    if (result?.__typename === 'ReservationReleased') toast.success(texts.reservationEnded);
    else if (result?.__typename === 'ReservationOrdered') toast.success(texts.reservationOrdered(result.order.number));
    else {
      setRefusal(result?.message ?? message ?? texts.changeFailed);
      return;
    }
    close();
  }

  return (
    <>
      <Button small aria-label={`${texts.endReservation}: ${who}`} onClick={() => setAsking(true)}>
        {texts.endReservation}
      </Button>
      <ConfirmDialog
        open={asking}
        title={texts.endingTitle(who)}
        text={texts.endingText}
        confirm={texts.endReservation}
        dismiss={texts.notNow}
        refusal={refusal}
        working={loading && texts.ending}
        onConfirm={() => void confirm()}
        onClose={close}
      />
    </>
  );
}
