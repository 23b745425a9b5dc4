import { screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { AddressList } from './address-list';
import { DeleteAddressDocument } from './address.generated';

const shop = shopServer();
const home = {
  __typename: 'Address' as const,
  id: 'a1',
  name: 'Ada Lindqvist',
  address1: 'Hornsgatan 48',
  address2: '',
  city: 'Stockholm',
  state: '',
  country: 'Sweden',
  countryCode: 'SE',
  postalCode: '118 21',
  phone: '+46 70 123 45 67',
  lines: ['Ada Lindqvist', 'Hornsgatan 48', 'SE-118 21 Stockholm', 'Sweden'],
  isDefault: true,
};

async function askToDelete() {
  const { user } = renderShop(<AddressList addresses={[home]} />);
  await user.click(screen.getByRole('button', { name: 'Delete Hornsgatan 48' }));
  return user;
}

describe('the addresses', () => {
  // spec: screens.account.addresses.empty
  it('say that there are none', () => {
    renderShop(<AddressList addresses={[]} />);

    expect(screen.getByText('No addresses found')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Add a new address' })).toHaveAttribute('href', '/add-address');
  });

  // spec: screens.account.addresses
  it('show the whole address, the default one marked', () => {
    renderShop(<AddressList addresses={[home]} />);

    expect(screen.getByText('SE-118 21 Stockholm')).toBeVisible();
    expect(screen.getByText('Default')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Edit Hornsgatan 48' })).toHaveAttribute('href', '/edit-address/a1');
  });

  // spec: screens.account.addresses.delete, errors.done.address
  it('are deleted only after a yes', async () => {
    const requests = shop.answer(DeleteAddressDocument, { deleteAddress: { __typename: 'Addresses', addresses: [] } });

    const user = await askToDelete();
    expect(screen.getByRole('dialog', { name: 'Delete Address' })).toHaveTextContent('This action cannot be undone.');
    expect(requests).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Delete' }));

    await expect.poll(() => toastQueue.first()?.text).toBe('Address deleted successfully');
    expect(requests).toEqual([{ id: 'a1' }]);
  });

  // spec: screens.account.addresses.delete
  it('stay after a no', async () => {
    const user = await askToDelete();

    await user.click(screen.getByRole('button', { name: 'Cancel' }));

    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(screen.getByText('SE-118 21 Stockholm')).toBeVisible();
  });

  // spec: errors.address.delete
  it('say that it failed when the shop fails', async () => {
    shop.fail(DeleteAddressDocument, 'INTERNAL');

    const user = await askToDelete();
    await user.click(screen.getByRole('button', { name: 'Delete' }));

    await expect.poll(() => toastQueue.first()?.text).toBe('Error deleting address');
  });
});
