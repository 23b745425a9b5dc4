import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkoutMemory } from '~/session/checkout-memory';
import { session } from '~/session/storage';
import { type Answer, renderShop, shopServer } from '~/test/shop';
import AccountRoute from './account';
import AddAddressRoute from './add-address';
import EditAddressRoute from './edit-address';
import { AccountAddressesDocument, AccountDetailsDocument, AccountOrdersDocument } from './account.generated';
import {
  CreateAddressDocument,
  type AddressFragment,
  CountriesDocument,
  StatesDocument,
} from '~/features/account/address.generated';
import { SecurityDetailsDocument } from '~/features/account/security.generated';
import type { OrderCardFragment } from '~/features/account/order.generated';

const shop = shopServer();
const viewer = { id: 'u1', name: 'Ada Lindqvist', email: 'ada@minimal.test', role: 'user' as const } as const;
const person = { __typename: 'Viewer', id: 'u1' } as const;
const address: AddressFragment = {
  __typename: 'Address',
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
const zone = { __typename: 'Shop', timeZone: 'UTC' } as const;
const order: Answer<OrderCardFragment> = {
  __typename: 'Order',
  id: 'o1',
  number: 'M-10482',
  createdAt: '2026-11-17T14:30:00Z',
  paymentStatus: 'PAID',
  fulfilment: 'UNFULFILLED',
  subtotal: '96.00',
  discountCode: null,
  discount: '0.00',
  delivery: { __typename: 'DeliveryCharge', name: '', price: '0.00', minDays: null, maxDays: null },
  tax: null,
  totalAmount: '96.00',
  refundedAmount: '0.00',
  isCanceled: false,
  isDisputed: false,
  canCancel: false,
  cancelableUntil: null,
  returnableUntil: null,
  invoiceUrl: null,
  timeline: [],
  shipments: [],
  returns: [],
  lines: [],
  shippingAddress: { ...address, __typename: 'OrderAddress' },
};

beforeEach(() => {
  session.signIn(viewer);
  const sweden = { __typename: 'Country', code: 'SE', name: 'Sweden' };
  shop.answer(CountriesDocument, { shop: { __typename: 'Shop', delivered: [sweden], others: [] } });
  shop.answer(StatesDocument, { shop: { __typename: 'Shop', states: null } });
});
afterEach(() => act(() => session.signOut()));

function details() {
  shop.answer(SecurityDetailsDocument, {
    viewer: {
      ...person,
      hasSecondFactor: false,
      secondFactorMissing: false,
      hasCodes: false,
      recoveryCodesLeft: 0,
      passkeys: [],
    },
  });
  shop.answer(AccountDetailsDocument, {
    shop: { __typename: 'Shop', googleClientId: 'client' },
    viewer: {
      ...person,
      name: 'Ada Lindqvist',
      email: 'ada@minimal.test',
      emailVerified: true,
      hasPassword: true,
      googleLinked: false,
      sessions: [],
      dataUrl: '/account/data.json',
    },
  });
}

function orders(nodes: Answer<OrderCardFragment>[]) {
  const pageInfo = { __typename: 'PageInfo', hasNextPage: false, endCursor: null };
  const list = { __typename: 'OrderConnection', totalCount: nodes.length, pageInfo, nodes };
  shop.answer(AccountOrdersDocument, { shop: zone, viewer: { ...person, orders: list } });
}

function addresses(list: AddressFragment[]) {
  shop.answer(AccountAddressesDocument, { viewer: { ...person, addresses: list } });
}

describe('the account', () => {
  // spec: screens.account.tabs, screens.account.orders, screens.account.orders.empty, screens.account.addresses
  it('has three tabs and opens on the details', async () => {
    details();
    orders([]);
    addresses([]);
    const { user } = renderShop(<AccountRoute />, '/account');

    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Account Details',
      'Orders',
      'Address',
    ]);
    expect(await screen.findByText('ada@minimal.test')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Orders' }));
    expect(await screen.findByRole('heading', { name: 'Order History' })).toBeVisible();
    expect(await screen.findByText('No orders found')).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Address' }));

    expect(await screen.findByRole('heading', { name: 'Shipping Addresses' })).toBeVisible();
    expect(await screen.findByText('No addresses found')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Add a new address' })).toHaveAttribute('href', '/add-address');
  });

  it('shows what has become of an order when the page is looked at again', async () => {
    orders([order]);
    renderShop(<AccountRoute />, '/account?tab=orders');
    expect(await screen.findByText('Paid', { selector: 'dd *' })).toBeVisible();

    const shipped = { __typename: 'OrderEvent', at: '2026-11-18T14:30:00Z', kind: 'SHIPPED', amount: null } as const;
    orders([{ ...order, fulfilment: 'SHIPPED', timeline: [shipped] }]);
    act(() => void globalThis.dispatchEvent(new Event('focus')));

    expect(await screen.findByText('On its way')).toBeVisible();
  });

  it('asks again by itself until the money of a canceled order has gone back', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    orders([{ ...order, isCanceled: true, fulfilment: 'CANCELED' }]);
    renderShop(<AccountRoute />, '/account?tab=orders');
    expect(await screen.findByText('Paid', { selector: 'dd *' })).toBeVisible();

    orders([
      { ...order, isCanceled: true, fulfilment: 'CANCELED', paymentStatus: 'REFUNDED', refundedAmount: '96.00' },
    ]);
    act(() => void vi.advanceTimersByTime(3000));

    expect(await screen.findByText('Refunded', { selector: 'dd *' })).toBeVisible();
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  // spec: screens.account.details, screens.account.edit
  it('shows name and e-mail, and edits them until Cancel', async () => {
    details();
    const { user } = renderShop(<AccountRoute />, '/account');

    await user.click(await screen.findByRole('button', { name: 'Edit' }));

    expect(screen.getByLabelText('Name')).toHaveValue('Ada Lindqvist');
    expect(screen.getByLabelText('E-mail')).toHaveValue('ada@minimal.test');
    expect(screen.getByLabelText('New Password (optional)')).toHaveValue('');
    expect(screen.getByRole('button', { name: 'Save Changes' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.getByRole('button', { name: 'Edit' })).toBeVisible();
  });

  // spec: errors.address.fetch
  it.each([
    ['INTERNAL', 'Failed to fetch addresses'],
    ['UNAVAILABLE', 'Refused.'],
  ])('whose addresses do not come after %s says: %s', async (code, words) => {
    shop.fail(AccountAddressesDocument, code);

    renderShop(<AccountRoute />, '/account?tab=address');

    expect(await screen.findByText(words)).toBeVisible();
  });

  it('says so when the next orders do not come, and fetches them at another press', async () => {
    const page = (id: string, hasNextPage: boolean) => {
      const pageInfo = { __typename: 'PageInfo', hasNextPage, endCursor: hasNextPage ? id : null };
      const nodes = [{ ...order, id, number: `M-${id}` }];
      shop.answer(AccountOrdersDocument, {
        shop: zone,
        viewer: { ...person, orders: { __typename: 'OrderConnection', totalCount: 2, pageInfo, nodes } },
      });
    };
    page('o1', true);
    const { user } = renderShop(<AccountRoute />, '/account?tab=orders');
    const more = await screen.findByRole('button', { name: 'Show more' });

    shop.fail(AccountOrdersDocument, 'INTERNAL');
    await user.click(more);

    expect(await screen.findByRole('alert')).toHaveTextContent('More orders could not be loaded.');
    expect(screen.getByText('M-o1', { exact: false })).toBeVisible();
    page('o2', false);
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('M-o2', { exact: false })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('says so when the orders do not come', async () => {
    shop.fail(AccountOrdersDocument, 'INTERNAL');

    renderShop(<AccountRoute />, '/account?tab=orders');

    expect(await screen.findByText('Your orders could not be loaded.')).toBeVisible();
  });
});

describe('the address screens', () => {
  // spec: screens.address.cancel
  it.each([
    ['/add-address', '/account'],
    ['/add-address?redirect=checkout', '/checkout'],
    ['/add-address?redirect=elsewhere', '/account'],
  ])('%s are left by Cancel for %s', async (at, to) => {
    const { user } = renderShop(<AddAddressRoute />, at);

    await user.click(screen.getByRole('link', { name: 'Cancel' }));

    expect(screen.getByTestId('address')).toHaveTextContent(new RegExp(`^${to}$`));
  });

  // spec: screens.address.fields
  it('ask for seven things and whether it is the default', () => {
    renderShop(<AddAddressRoute />, '/add-address');

    const form = within(screen.getByRole('heading', { name: 'Add Shipping Address' }).parentElement as HTMLElement);
    const fields = form.getAllByLabelText(/.+/, { selector: 'input:not([type=checkbox]), select' });
    expect(fields.map((field) => (field as HTMLInputElement).name)).toEqual([
      'name',
      'address1',
      'address2',
      'city',
      'country',
      'postalCode',
      'phone',
    ]);
    expect(form.getByRole('checkbox', { name: 'Set as default address' })).not.toBeChecked();
  });

  it('lead back to checkout once saved, where the new one is the chosen one', async () => {
    checkoutMemory.setAddressId('a1');
    const added = { ...address, id: 'a2', isDefault: false };
    shop.answer(CreateAddressDocument, {
      createAddress: { __typename: 'Addresses', addresses: [address, added], saved: added },
    });
    const { user } = renderShop(<AddAddressRoute />, '/add-address?redirect=checkout');
    for (const label of ['Full name', 'Address line 1', 'City', 'Phone']) {
      await user.type(screen.getByLabelText(label), 'Ada');
    }
    await user.selectOptions(screen.getByLabelText('Country'), await screen.findByRole('option', { name: 'Sweden' }));

    await user.click(screen.getByRole('button', { name: 'Save Address' }));

    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/checkout$/));
    expect(checkoutMemory.addressId()).toBe('a2');
  });
});

const street = () => screen.getByLabelText('Address line 1');

function reload() {
  cleanup();
  renderShop(<AddAddressRoute />, '/add-address?redirect=checkout');
}

async function begin() {
  const view = renderShop(<AddAddressRoute />, '/add-address?redirect=checkout');
  await view.user.type(street(), 'Hornsgatan 48');
  await view.user.click(screen.getByRole('checkbox', { name: 'Set as default address' }));
  return view;
}

it('a new address begins with the name of its user, and browsers are told what each field is for', () => {
  renderShop(<AddAddressRoute />, '/add-address');

  expect(screen.getByLabelText('Full name')).toHaveValue('Ada Lindqvist');
  const fields = [...document.querySelectorAll('form :is(input:not([type=checkbox]), select)')];
  expect(fields.map((field) => field.getAttribute('autocomplete'))).toEqual([
    'name',
    'address-line1',
    'address-line2',
    'address-level2',
    'country',
    'postal-code',
    'tel',
  ]);
});

describe('a new address that was begun', () => {
  it('is still there after a reload, and in no storage that outlives its tab', async () => {
    await begin();

    reload();

    expect(street()).toHaveValue('Hornsgatan 48');
    expect(screen.getByRole('checkbox', { name: 'Set as default address' })).toBeChecked();
    expect(JSON.stringify({ ...localStorage })).not.toContain('Hornsgatan');
  });

  it('is forgotten once it is canceled', async () => {
    const { user } = await begin();

    await user.click(screen.getByRole('link', { name: 'Cancel' }));
    reload();

    expect(street()).toHaveValue('');
  });

  it('is forgotten once it is saved', async () => {
    shop.answer(CreateAddressDocument, {
      createAddress: { __typename: 'Addresses', addresses: [address], saved: address },
    });
    const { user } = await begin();
    for (const label of ['Full name', 'City', 'Phone']) await user.type(screen.getByLabelText(label), 'Ada');
    await user.selectOptions(screen.getByLabelText('Country'), await screen.findByRole('option', { name: 'Sweden' }));

    await user.click(screen.getByRole('button', { name: 'Save Address' }));
    await waitFor(() => expect(screen.getByTestId('address')).toHaveTextContent(/^\/checkout$/));

    expect({ ...sessionStorage }).toEqual({});
  });

  it('is forgotten when its user signs out, and never shown to another', async () => {
    await begin();
    const storageBefore = { ...sessionStorage };

    act(() => session.signOut());
    expect({ ...sessionStorage }).toEqual({});
    Object.assign(sessionStorage, storageBefore);
    act(() => session.signIn({ ...viewer, id: 'u2' }));
    reload();

    expect(street()).toHaveValue('');
  });
});

describe('an address that is edited', () => {
  // spec: screens.address.fields, screens.address.cancel
  it('is left by Cancel for the account, whatever the address asks', async () => {
    addresses([address]);
    const { user } = renderShop(<EditAddressAt />, '/edit-address/a1?redirect=checkout');

    expect(await screen.findByLabelText('Address line 1')).toHaveValue('Hornsgatan 48');
    expect(screen.getByRole('heading', { name: 'Edit Shipping Address' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Cancel' }));

    expect(screen.getByTestId('address')).toHaveTextContent(/^\/account$/);
  });

  it('keeps what was typed over a reload, and for no other address', async () => {
    addresses([address, { ...address, id: 'a2' }]);
    const { user } = renderShop(<EditAddressAt />, '/edit-address/a1');
    await user.type(await screen.findByLabelText('Address line 1'), ' B');

    cleanup();
    renderShop(<EditAddressAt />, '/edit-address/a1');
    expect(await screen.findByLabelText('Address line 1')).toHaveValue('Hornsgatan 48 B');
    cleanup();
    renderShop(<EditAddressAt />, '/edit-address/a2');
    expect(await screen.findByLabelText('Address line 1')).toHaveValue('Hornsgatan 48');
    cleanup();
    renderShop(<AddAddressRoute />, '/add-address');
    expect(street()).toHaveValue('');
  });

  // spec: errors.address.fetch
  it('says so when it could not be fetched', async () => {
    shop.fail(AccountAddressesDocument, 'INTERNAL');

    renderShop(<EditAddressAt />, '/edit-address/a1');

    expect(await screen.findByText('Failed to fetch addresses')).toBeVisible();
  });
});

function EditAddressAt() {
  return (
    <Routes>
      <Route path="/edit-address/:addressId" element={<EditAddressRoute />} />
      <Route path="*" element={null} />
    </Routes>
  );
}
