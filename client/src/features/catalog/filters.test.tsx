import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderShop } from '~/test/shop';
import { FACETS } from './facets';
import FilterPanel from './filters';
import { useListState } from './list-state';

const color = (name: string, hex: string) => ({ __typename: 'ColorFacet' as const, name, hex, count: 3 });
const facets = { colors: [color('Black', '#000'), color('Blue', '#00f')], priceRange: null };

function Panels() {
  const { chosen, narrow } = useListState();
  return FACETS.map((facet) => (
    <FilterPanel key={facet.label} facet={facet} filters={chosen} narrow={narrow} facets={facets as never} />
  ));
}

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
