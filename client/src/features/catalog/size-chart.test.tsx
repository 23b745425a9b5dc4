import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderShop } from '~/test/shop';
import { sizeTable } from './measurements';
import { SizeChart, UnitsToggle } from './size-chart';
import { SizeGuideLink } from './size-guide-link';
import { formatLength } from './units';

const kinds = [
  ['MEN', 'SHIRTS'],
  ['MEN', 'JEANS'],
  ['WOMEN', 'SHIRTS'],
  ['WOMEN', 'JEANS'],
  ['WOMEN', 'TROUSERS'],
] as const;
const sizes = ['XS', 'S', 'M', 'L', 'XL', 'XXL'] as const;
const jeans = sizeTable('MEN', 'JEANS');
if (!jeans) throw new Error('Jeans are not measured.');

const chart = { table: jeans, sizes, chosen: 'M' } as const;

const cells = (name: string) =>
  within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test.each(kinds)('%s %s are measured from A to E, and no measure shrinks as the size grows', (gender, subcategory) => {
  const table = sizeTable(gender, subcategory);

  expect(table?.measurements.map(({ letter }) => letter)).toEqual(['A', 'B', 'C', 'D', 'E']);
  for (const { inches } of table?.measurements ?? []) {
    const lengths = sizes.map((size) => inches[size]);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(inches.XXL).toBeGreaterThan(inches.XS);
  }
});

test.each([
  [11.25, 'in', '11¼'],
  [10.75, 'in', '10¾'],
  [33, 'in', '33'],
  [11.25, 'cm', '28.5'],
  [33, 'cm', '84'],
] as const)('%f inches in %s are %s', (inches, units, words) => {
  expect(formatLength(inches, units)).toBe(words);
});

test('the column of the chosen size is marked, for eyes and for ears', () => {
  const { container } = renderShop(<SizeChart {...chart} />);

  expect(screen.getByRole('columnheader', { name: 'M, your size' })).toHaveAttribute('data-chosen');
  const marked = [...container.querySelectorAll('td[data-chosen]')].map((cell) => cell.textContent);
  expect(marked).toEqual(['33', '11¼', '12½', '32', '8½']);
});

test('no column is marked before a size is chosen, and only sizes that are made are shown', () => {
  const { container } = renderShop(<SizeChart {...chart} sizes={['S', 'M']} chosen={null} />);

  expect(container.querySelector('[data-chosen]')).toBeNull();
  expect(cells('A Waist')).toEqual(['31', '33']);
});

test('centimeters are for every table of the page, and the browser remembers them', async () => {
  const { user } = renderShop(
    <>
      <UnitsToggle />
      <SizeChart {...chart} />
      <UnitsToggle />
    </>,
  );
  const [first, second] = screen.getAllByRole('button', { name: 'Centimeters' });

  await user.click(first as HTMLElement);

  expect(cells('A Waist')).toEqual(['73.5', '78.5', '84', '89', '94', '99']);
  expect(second).toHaveAttribute('aria-pressed', 'true');
  expect(localStorage.getItem('minimal:units')).toBe('cm');
});

test('a browser that remembers centimeters gets them', () => {
  localStorage.setItem('minimal:units', 'cm');

  renderShop(<SizeChart {...chart} />);

  expect(cells('E Hem')).toEqual(['20.5', '21', '21.5', '22', '23', '23.5']);
});

test('the size guide opens over the page; its address leads to the measurements below', async () => {
  const { user } = renderShop(<SizeGuideLink gender="MEN" subcategory="JEANS" sizes={sizes} chosen="M" name="Straight Jean" />);
  const link = screen.getByRole('link', { name: 'Size guide' });

  await user.click(link);

  const dialog = await screen.findByRole('dialog', { name: 'Size guide' });
  expect(within(dialog).getByRole('columnheader', { name: 'M, your size' })).toBeInTheDocument();
  expect(link).toHaveAttribute('href', '#measurements');
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});
