import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { AddressForm } from './address-form';
import { useSaveAddress } from './use-save-address';
import { CreateAddressDocument, CountriesDocument, StatesDocument, UpdateAddressDocument } from './address.generated';
import type { AddressValues } from './rules';

const shop = shopServer();
const home: AddressValues = {
  name: 'Ada Lindqvist',
  address1: 'Hornsgatan 48',
  address2: '',
  city: 'Stockholm',
  country: 'SE',
  state: '',
  postalCode: '',
  phone: '+46 70 123 45 67',
  isDefault: false,
};
const saved = vi.fn();
const sweden = { __typename: 'Country', code: 'SE', name: 'Sweden' } as const;
const america = { __typename: 'Country', code: 'US', name: 'United States' } as const;
const states = {
  __typename: 'States',
  label: 'State',
  isRequired: true,
  choices: [{ __typename: 'State', code: 'CA', name: 'California' }],
} as const;

beforeEach(() => {
  shop.answer(CountriesDocument, { shop: { __typename: 'Shop', delivered: [sweden], others: [america] } });
  shop.answer(StatesDocument, { shop: { __typename: 'Shop', states: null } });
});

function Form({ id, values }: { id: string | null; values: typeof home }) {
  return <AddressForm values={values} cancelTo={{ pathname: '/account' }} saving={useSaveAddress(id, saved)} />;
}

function show(id: string | null = null, values = home) {
  return renderShop(<Form id={id} values={values} />, '/add-address');
}

beforeEach(() => vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  saved.mockReset();
  vi.useRealTimers();
});

describe('the address form', () => {
  it('offers the countries that the shop sends to first', async () => {
    show();

    const groups = await within(screen.getByLabelText('Country')).findAllByRole('group');

    expect(groups.map((group) => group.textContent)).toEqual(['Sweden', 'United States']);
    expect(screen.getByLabelText('Country')).toHaveValue('SE');
  });

  it('asks for a state where the country has states, and forgets it with the country', async () => {
    shop.answer(StatesDocument, { shop: { __typename: 'Shop', states } });
    const requests = shop.answer(CreateAddressDocument, {
      createAddress: { __typename: 'Addresses', addresses: [], saved: null },
    });
    const { user } = show(null, { ...home, country: 'US' });
    await user.selectOptions(await screen.findByLabelText('State'), 'California');
    await user.selectOptions(screen.getByLabelText('Country'), 'Sweden');
    await user.selectOptions(screen.getByLabelText('Country'), 'United States');

    await user.click(screen.getByRole('button', { name: 'Save Address' }));
    expect(await screen.findByText('State is required')).toBeVisible();
    await user.selectOptions(screen.getByLabelText('State'), 'California');
    await user.click(screen.getByRole('button', { name: 'Save Address' }));

    await waitFor(() => expect(requests).toEqual([{ input: { ...home, country: 'US', state: 'CA' } }]));
  });

  it('waits for the states of a country before it saves', async () => {
    const tell = shop.hold(StatesDocument, { shop: { __typename: 'Shop', states } });
    const requests = shop.answer(CreateAddressDocument, {
      createAddress: { __typename: 'Addresses', addresses: [], saved: null },
    });
    const { user } = show(null, { ...home, country: 'US' });

    await user.click(screen.getByRole('button', { name: 'Save Address' }));
    expect(await screen.findByRole('button', { name: 'Saving ...' })).toBeVisible();
    tell();

    expect(await screen.findByText('State is required')).toBeVisible();
    expect(requests).toEqual([]);
  });

  it('takes the country in words where the list cannot be had', async () => {
    shop.fail(CountriesDocument, 'UNAVAILABLE');
    const requests = shop.answer(CreateAddressDocument, {
      createAddress: { __typename: 'Addresses', addresses: [], saved: null },
    });
    const { user } = show(null, { ...home, country: '' });
    await waitFor(() => expect(screen.getByLabelText('Country').tagName).toBe('INPUT'));

    await user.type(screen.getByLabelText('Country'), 'Sweden');
    await user.click(screen.getByRole('button', { name: 'Save Address' }));

    await waitFor(() => expect(requests).toEqual([{ input: { ...home, country: 'Sweden' } }]));
  });

  // spec: errors.done.address, constants.address.redirect
  it('adds the address and goes on 100 ms later', async () => {
    const requests = shop.answer(CreateAddressDocument, {
      createAddress: { __typename: 'Addresses', addresses: [], saved: null },
    });
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Save Address' }));
    await waitFor(() => expect(toastQueue.first()?.text).toBe('Address added successfully'));

    expect(requests).toEqual([{ input: home }]);
    expect(saved).not.toHaveBeenCalled();
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(saved).toHaveBeenCalledOnce();
  });

  // spec: errors.done.address
  it('updates the address that it was opened with', async () => {
    const requests = shop.answer(UpdateAddressDocument, {
      updateAddress: { __typename: 'Addresses', addresses: [], saved: null },
    });
    const { user } = show('a1');

    await user.click(screen.getByRole('button', { name: 'Save Address' }));

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Address updated successfully'));
    expect(requests).toEqual([{ id: 'a1', input: home }]);
  });

  // spec: errors.address.limit
  it('says that there are as many as can be', async () => {
    const message = 'You have reached the maximum number of addresses.';
    shop.answer(CreateAddressDocument, { createAddress: { __typename: 'AddressLimitReached', message } });
    const { user } = show();

    await user.click(screen.getByRole('button', { name: 'Save Address' }));

    expect(await screen.findByText(message)).toBeVisible();
    expect(toastQueue.first()?.text).toBe(message);
    expect(saved).not.toHaveBeenCalled();
  });

  // spec: errors.address.save
  it.each([
    ['a new address', null, CreateAddressDocument, 'Error adding address'],
    ['a saved one', 'a1', UpdateAddressDocument, 'Error updating address'],
  ])('says that saving %s failed', async (_, id, operation, words) => {
    shop.fail(operation, 'INTERNAL');
    const { user } = show(id);

    await user.click(screen.getByRole('button', { name: 'Save Address' }));

    expect(await screen.findByText(words)).toBeVisible();
  });

  // spec: validation.address
  it('names what is missing and asks nobody', async () => {
    const { user } = show(null, { ...home, name: '', city: '' });

    await user.click(screen.getByRole('button', { name: 'Save Address' }));

    expect(await screen.findByText('Full name is required')).toBeVisible();
    expect(screen.getByText('City is required')).toBeVisible();
    expect(screen.queryByText('Country is required')).not.toBeInTheDocument();
  });

  // spec: states.address.spinner
  it('shows a ring for 500 ms when the default is changed', async () => {
    const { user } = show();
    const box = screen.getByRole('checkbox', { name: 'Set as default address' });

    await user.click(box);

    expect(box).toBeChecked();
    expect(box).toHaveAttribute('aria-busy', 'true');
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(box).not.toHaveAttribute('aria-busy');
  });
});
