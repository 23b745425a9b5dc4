import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { ZoneForm } from './zone-form';

shopServer();

const countries = [
  { code: 'PT', name: 'Portugal' },
  { code: 'SE', name: 'Sweden' },
  { code: 'CH', name: 'Switzerland' },
];
const show = () =>
  renderShop(<ZoneForm zone={null} countries={countries} onSaved={() => undefined} onCancel={() => undefined} />);
const named = () =>
  screen.queryAllByRole('checkbox', { name: /^(Port|Sw)/ }).map((box) => box.closest('label')?.textContent);

it('narrows the countries to those that match a part of their name, or the code', async () => {
  const { user } = show();
  const search = screen.getByRole('searchbox', { name: 'Find a country' });

  await user.type(search, ' SW');
  const byName = named();
  await user.clear(search);
  await user.type(search, 'pt');
  const byCode = named();
  await user.clear(search);
  await user.type(search, 'Atlantis');

  expect(byName).toEqual(['Sweden', 'Switzerland']);
  expect(byCode).toEqual(['Portugal']);
  expect(named()).toEqual([]);
  expect(screen.getByText('No country is called that.')).toBeVisible();
});

it('keeps what was chosen while others are searched', async () => {
  const { user } = show();

  await user.click(screen.getByRole('checkbox', { name: 'Sweden' }));
  await user.type(screen.getByRole('searchbox', { name: 'Find a country' }), 'port{Enter}');
  await user.click(screen.getByRole('checkbox', { name: 'Portugal' }));

  expect(screen.getByText('Countries, 2 chosen')).toBeVisible();
});
