import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { renderShop } from '~/test/shop';
import type { BulkPreviewFragment } from './bulk.generated';
import { BulkPreviewTable } from './bulk-preview';

const state = { price: '50.00', discountStartsAt: null, discountEndsAt: null, isRetired: false, stock: 4 };
const row = (name: string, discountedPrice: string, raisesPrice: boolean): BulkPreviewFragment['rows'][number] => ({
  productId: name,
  name,
  problem: null,
  raisesPrice,
  before: { ...state, discountedPrice: '40.00' },
  after: { ...state, discountedPrice },
});
const preview: BulkPreviewFragment = {
  token: 'looked',
  changing: 2,
  unchanged: 0,
  refused: 0,
  rows: [row('Dearer Shirt', '45.00', true), row('Cheaper Shirt', '35.00', false)],
};
const rowOf = (name: string) => within(screen.getByRole('row', { name: new RegExp(name) }));

it('marks the products of which a discount raises what shoppers pay', () => {
  renderShop(<BulkPreviewTable kind="discount" preview={preview} />);

  expect(rowOf('Dearer Shirt').getByText(', raises what shoppers pay')).toBeVisible();
  expect(rowOf('Cheaper Shirt').queryByText(/raises what shoppers pay/)).toBeNull();
});

it('marks none where the price itself is changed', () => {
  renderShop(<BulkPreviewTable kind="price" preview={preview} />);

  expect(screen.queryByText(/raises what shoppers pay/)).toBeNull();
});
