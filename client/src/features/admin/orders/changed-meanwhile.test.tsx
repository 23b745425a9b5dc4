import { screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { CancelForm } from './cancel-form';
import { Notes } from './notes';
import { order, shipment } from './fixtures';
import { ParcelList } from './parcel-list';
import { CreateOrderNoteDocument, CancelOrderAsShopDocument, MarkDeliveredDocument } from './order.generated';

const shop = shopServer();
const changed = {
  __typename: 'OrderChangedMeanwhile',
  message: 'This order has changed since you opened it. Nothing of yours was done.',
  changes: ['A refund of $10.00 was requested by grace@minimal.test.', 'Alan Turing wrote a note.'],
} as const;

function Refreshed() {
  const [version, setVersion] = useState('v1');
  return (
    <>
      <button onClick={() => setVersion('v2')}>Newer</button>
      <CancelForm order={{ ...order, version }} onClose={() => undefined} />
    </>
  );
}

describe('an order that has changed since it was read', () => {
  it('is not canceled: the form says what has changed and closes once it is fetched again', async () => {
    const requests = shop.answer(CancelOrderAsShopDocument, { cancelOrderAsShop: changed });
    const onClose = vi.fn();
    const { user } = renderShop(<CancelForm order={order} onClose={onClose} />);

    await user.type(screen.getByLabelText('Reason, for the buyer'), 'A stain.');
    await user.click(screen.getByRole('button', { name: 'Cancel order' }));

    expect(await screen.findByText(changed.message)).toBeVisible();
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(changed.changes);
    expect(screen.queryByRole('button', { name: 'Cancel order' })).toBeNull();
    expect(requests[0]).toMatchObject({ version: 'v1' });
    await user.click(screen.getByRole('button', { name: 'Look at the order again' }));
    await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  });

  it('keeps the version that was seen when the form was opened', async () => {
    const requests = shop.answer(CancelOrderAsShopDocument, { cancelOrderAsShop: changed });
    const { user } = renderShop(<Refreshed />);
    await user.click(screen.getByRole('button', { name: 'Newer' }));

    await user.click(screen.getByRole('button', { name: 'Cancel order' }));

    expect(await screen.findByText(changed.message)).toBeVisible();
    expect(requests[0]).toMatchObject({ version: 'v1' });
  });

  it('keeps a note that was typed, and takes it with what is seen then', async () => {
    const requests = shop.answer(CreateOrderNoteDocument, { createOrderNote: changed });
    const { user } = renderShop(<Notes order={order} />);

    await user.type(screen.getByLabelText('New note'), 'Calls often.');
    await user.click(screen.getByRole('button', { name: 'Add note' }));
    await user.click(await screen.findByRole('button', { name: 'Look at the order again' }));

    await vi.waitFor(() => expect(screen.queryByText(changed.message)).toBeNull());
    expect(screen.getByLabelText('New note')).toHaveValue('Calls often.');
    expect(requests[0]).toMatchObject({ version: 'v1', text: 'Calls often.' });
  });

  it('is not marked as delivered, and says so beside the parcel', async () => {
    const requests = shop.answer(MarkDeliveredDocument, { markDelivered: changed });
    const { user } = renderShop(<ParcelList order={{ ...order, shipments: [shipment] }} carriers={[]} />);

    await user.click(screen.getByRole('button', { name: 'Mark as delivered' }));

    expect(await screen.findByText(changed.message)).toBeVisible();
    expect(screen.getByRole('list', { name: 'Changed meanwhile' })).toHaveTextContent('Alan Turing wrote a note.');
    expect(screen.queryByRole('button', { name: 'Mark as delivered' })).toBeNull();
    expect(requests[0]).toMatchObject({ id: 's1', version: 'v1' });
  });
});
