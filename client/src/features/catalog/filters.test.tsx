import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderShop } from '~/test/shop';
import type { Size } from '~/graphql/catalogue';
import { FACETS } from './facets';
import { twoLeft } from './fixtures';
import FilterPanel from './filters';
import { Flag } from './flag';
import { useListState } from './list-state';
import type { FacetsFragment } from './product-list.generated';

const color = (name: string, hex: string) => ({ __typename: 'ColorFacet' as const, name, hex, count: 3 });
const sizeFacets = (counts: Partial<Record<Size, number>>) =>
  Object.entries(counts).map(([size, count]) => ({
    __typename: 'SizeFacet' as const,
    size,
    group: 'Letters',
    count: count ?? 0,
  }));
const facets: FacetsFragment = {
  ...twoLeft,
  sizes: sizeFacets({ M: 1, L: 2, XL: 1 }),
  colors: [color('Black', '#000'), color('Blue', '#00f')],
  priceRange: null,
  inStock: 2,
  onSale: 1,
};

function Panels({ counted = facets }) {
  const { chosen, narrow } = useListState();
  const filter = { filters: chosen, narrow, facets: counted };
  return FACETS.map((facet) =>
    facet.kind === 'flag' ? (
      <Flag key={facet.label} facet={facet} {...filter} />
    ) : (
      <FilterPanel key={facet.label} facet={facet} {...filter} />
    ),
  );
}

const choice = (name: string | RegExp) => screen.getByRole('checkbox', { name });

test('what would leave nothing cannot be chosen, only taken back', async () => {
  const nothing = {
    ...facets,
    sizes: sizeFacets({ M: 0, L: 2, XL: 0 }),
    colors: [{ ...color('Blue', '#00f'), count: 0 }],
    onSale: 0,
  };
  const { user } = renderShop(<Panels counted={nothing} />, '/category/men?size=XL');
  const chosenAnyway = [choice('S'), choice('M'), choice(/Blue/), choice('On sale')];
  for (const empty of chosenAnyway) {
    expect(empty).toHaveAttribute('aria-disabled', 'true');
    await user.click(empty);
    expect(empty).not.toBeChecked();
  }
  expect(screen.getByTestId('address')).toHaveTextContent('/category/men?size=XL');
  for (const open of [choice('L'), choice('XL'), choice('In stock')]) {
    expect(open).toHaveAttribute('aria-disabled', 'false');
    await user.click(open);
  }
  expect(screen.getByTestId('address')).toHaveTextContent('/category/men?size=L&stock=in');
  expect(choice('In stock')).toHaveFocus();
});

const group = (name: string, ...sizes: string[]) =>
  sizes.map((size) => ({ __typename: 'SizeFacet' as const, size, group: name, count: 1 }));

test('sizes of several systems stand in groups of their own', async () => {
  const several = {
    ...facets,
    sizes: [...group('Letters', 'M'), ...group('Waist', 'jeans:W30'), ...group('Length', 'jeans:L32')],
  };

  const { user } = renderShop(<Panels counted={several} />, '/category/men?size=M,jeans:L32,38');

  const names = ['Letters', 'Waist', 'Length'].map((name) => screen.getByRole('group', { name }).textContent);
  expect(names).toEqual(['M', 'W30', 'L32']);
  expect(choice('L32')).toBeChecked();
  await user.click(choice('W30'));
  expect(screen.getByTestId('address')).toHaveTextContent('/category/men?size=M%2Cjeans%3AL32%2Cjeans%3AW30');
});

test('of presses before the list has followed, none is lost', async () => {
  renderShop(<Panels />, '/category/men');

  await act(async () => {
    screen.getByRole('checkbox', { name: /Blue/ }).click();
    screen.getByRole('checkbox', { name: /Black/ }).click();
    screen.getByRole('checkbox', { name: 'M' }).click();
    screen.getByRole('checkbox', { name: 'XL' }).click();
  });

  expect(screen.getByTestId('address')).toHaveTextContent('/category/men?size=M%2CXL&color=Black%2CBlue');
  await act(async () => {
    screen.getByRole('checkbox', { name: /Blue/ }).click();
    screen.getByRole('checkbox', { name: 'M' }).click();
  });
  expect(screen.getByTestId('address')).toHaveTextContent('/category/men?size=XL&color=Black');
});

test.each([
  ['12,50', 'from=12.50'],
  ['$1,250', 'from=1250'],
])('a price from "%s" is %s in the address', async (typed, query) => {
  const { user } = renderShop(<Panels />, '/category/men');

  await user.type(screen.getByLabelText('From, $'), typed);
  await user.click(screen.getByRole('button', { name: 'Apply' }));

  expect(screen.getByTestId('address')).toHaveTextContent(`/category/men?${query}`);
});

test('prices follow the address, and the focus stays where they are applied', async () => {
  const { user } = renderShop(<Panels />, '/category/men?from=10');

  await user.clear(screen.getByLabelText('From, $'));
  await user.type(screen.getByLabelText('From, $'), '12.00');
  await user.click(screen.getByRole('button', { name: 'Apply' }));

  expect(screen.getByTestId('address')).toHaveTextContent('/category/men?from=12');
  expect(screen.getByLabelText('From, $')).toHaveValue('12');
  expect(screen.getByRole('button', { name: 'Apply' })).toHaveFocus();
});
