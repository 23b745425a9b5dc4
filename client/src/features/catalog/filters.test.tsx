import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderShop } from '~/test/shop';
import FilterPanel from './filters';
import { useListState } from './list-state';

const color = (name: string, hex: string) => ({ __typename: 'ColorFacet' as const, name, hex, count: 3 });
const facets = { colors: [color('Black', '#000'), color('Blue', '#00f')], priceRange: null };

function Panels() {
  const { chosen, narrow } = useListState();
  const filter = { narrowing: chosen, narrow, facets: facets as never };
  return (
    <>
      <FilterPanel of="color" {...filter} />
      <FilterPanel of="size" {...filter} />
      <FilterPanel of="price" {...filter} />
    </>
  );
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
