import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { ReleaseReservationDocument, type ReservationRowFragment } from './reservation.generated';
import { ReservationTable } from './reservation-table';

const shop = shopServer();
const reservation: ReservationRowFragment = {
  id: 'c1',
  buyerId: 'u1',
  name: 'Ada Lovelace',
  email: 'ada@minimal.test',
  total: '125.00',
  hasPaymentForm: true,
  since: '2026-11-27T15:00:00Z',
  until: '2026-11-27T15:35:00Z',
  lines: [
    { variantId: 'v1', productId: 'p1', name: 'Oxford Shirt', color: 'Blue', size: 'M', quantity: 2 },
    { variantId: 'v2', productId: 'p2', name: 'Socks', color: 'Black', size: 'L', quantity: 3 },
  ],
};
const table = (row: ReservationRowFragment = reservation) => <ReservationTable reservations={[row]} stale={false} />;
const asking = async (user: ReturnType<typeof renderShop>['user']) => {
  await user.click(screen.getByRole('button', { name: 'End: Ada Lovelace' }));
  return within(screen.getByRole('dialog', { name: 'End the checkout of Ada Lovelace?' }));
};

describe('open checkouts', () => {
  it('are shown with buyer, pieces, value and times', () => {
    renderShop(table());

    const row = within(screen.getByRole('row', { name: /Ada Lovelace/ }));
    expect(row.getByRole('link', { name: 'Ada Lovelace' })).toHaveAttribute('href', '/admin/customers/u1');
    expect(row.getByText('ada@minimal.test')).toBeVisible();
    expect(row.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '2 x Oxford Shirt, Blue, M',
      '3 x Socks, Black, L',
    ]);
    expect(row.getByText('$125.00')).toBeVisible();
    expect(row.getByText(/Nov 27, 2026, 3:00\sPM/)).toBeVisible();
    expect(row.getByText(/Nov 27, 2026, 3:35\sPM/)).toBeVisible();
    expect(row.getByText('Payment form open')).toBeVisible();
  });

  it('of a deleted account have its e-mail', () => {
    renderShop(table({ ...reservation, buyerId: null, name: '', hasPaymentForm: false }));

    expect(screen.getByRole('rowheader')).toHaveTextContent(/^ada@minimal.test$/);
    expect(screen.getByText('Payment form not open')).toBeVisible();
    expect(screen.getByRole('button', { name: 'End: ada@minimal.test' })).toBeVisible();
  });

  it('are ended only after a question', async () => {
    const requests = shop.answer(ReleaseReservationDocument, {
      releaseReservation: { __typename: 'ReservationReleased' },
    });
    const { user } = renderShop(table());

    const dialog = await asking(user);
    expect(requests).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'End' }));

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Checkout ended. Its pieces can be bought again.'));
    expect(requests).toEqual([{ id: 'c1' }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('that have been paid meanwhile name their order', async () => {
    const order = { __typename: 'AdminOrder', id: 'o1', number: 'M-10482' };
    shop.answer(ReleaseReservationDocument, { releaseReservation: { __typename: 'ReservationOrdered', order } });
    const { user } = renderShop(table());

    const dialog = await asking(user);
    await user.click(dialog.getByRole('button', { name: 'End' }));

    await waitFor(() => expect(toastQueue.first()?.text).toBe('It had been paid already, and is order M-10482 now.'));
  });

  it('that cannot be ended say why', async () => {
    const message = 'The payment could not be closed.';
    shop.answer(ReleaseReservationDocument, { releaseReservation: { __typename: 'ReservationNotReleased', message } });
    const { user } = renderShop(table());

    const dialog = await asking(user);
    await user.click(dialog.getByRole('button', { name: 'End' }));

    expect(await dialog.findByText(message)).toBeVisible();
    expect(toastQueue.first()).toBeUndefined();
  });
});
