import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { SizeSystemDocument, type SizeSystemQuery } from './size-system.generated';
import SystemTape from './system-tape';

type Axes = NonNullable<SizeSystemQuery['product']>['category']['sizeSystem']['axes'];

const shop = shopServer();
const chosenSize = vi.fn();
beforeEach(() => chosenSize.mockReset());

const value = (name: string, ...labels: { market: string; name: string }[]) => ({ name, labels });

function answer(axes: Axes, market = '') {
  shop.answer(SizeSystemDocument, {
    product: {
      __typename: 'Product',
      id: 'p1',
      category: { __typename: 'Category', id: 'c1', sizeSystem: { market, axes } },
    },
  } as SizeSystemQuery);
}

function Page({ sizes, soldOut = [] }: { sizes: readonly string[]; soldOut?: readonly string[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const choose = (size: string | null) => {
    chosenSize(size);
    setChosen(size);
  };
  return (
    <SystemTape
      label="Size"
      productId="p1"
      sizes={sizes.map((size) => ({ size, soldOut: soldOut.includes(size) }))}
      chosen={chosen}
      onChoose={choose}
    />
  );
}

const uk = (name: string) => ({ market: 'UK', name });

test('sizes stand beside their names in other markets', async () => {
  answer([{ name: 'Size', values: [value('37', uk('4')), value('38', uk('5')), value('39', uk('6'))] }], 'EU');

  const { user } = renderShop(<Page sizes={['38', '39']} soldOut={['39']} />);

  expect(await screen.findByText('UK 5')).toBeVisible();
  const tape = screen.getByRole('radiogroup', { name: 'Size' });
  expect(within(tape).getAllByRole('radio')).toHaveLength(2);
  expect(screen.getByRole('radio', { name: 'EU 39, UK 6, sold out' })).not.toBeChecked();
  await user.click(screen.getByRole('radio', { name: 'EU 38, UK 5' }));
  expect(chosenSize).toHaveBeenLastCalledWith('38');
});

test('of two axes, both make the size, and what is not made together says so', async () => {
  answer([
    { name: 'Waist', values: [value('W28'), value('W30'), value('W32')] },
    { name: 'Length', values: [value('L30'), value('L32')] },
  ]);

  const { user } = renderShop(
    <Page sizes={['W28 L30', 'W28 L32', 'W30 L30', 'W30 L32', 'W32 L30']} soldOut={['W30 L30']} />,
  );

  await screen.findByRole('radiogroup', { name: 'Waist' });
  await user.click(screen.getByRole('radio', { name: 'W30' }));
  expect(chosenSize).not.toHaveBeenCalled();
  expect(screen.getByRole('radio', { name: 'L30, sold out' })).not.toBeChecked();
  await user.click(screen.getByRole('radio', { name: 'L32' }));
  expect(chosenSize).toHaveBeenLastCalledWith('W30 L32');
  await user.click(screen.getByRole('radio', { name: 'W32, not with L32' }));
  expect(chosenSize).toHaveBeenLastCalledWith(null);
  expect(screen.getByRole('radio', { name: 'W32' })).toBeChecked();
  expect(screen.getByRole('radio', { name: 'L32, not with W32' })).not.toBeChecked();
  await user.click(screen.getByRole('radio', { name: 'L30' }));
  expect(chosenSize).toHaveBeenLastCalledWith('W32 L30');
});

test('one size needs no choice', async () => {
  answer([{ name: 'Size', values: [value('One size')] }]);

  renderShop(<Page sizes={['One size']} />);

  expect(await screen.findByRole('radio', { name: 'One size' })).toBeVisible();
  await expect.poll(() => screen.queryByRole('radio')).toBeNull();
});
