import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { MeasurementPoint } from '~/graphql/schema.generated';
import { renderShop } from '~/test/shop';
import { sizeTable } from './measurements';
import type { ProductMeasurementsFragment } from './measurements.generated';
import MeasurementsSection from './measurements-section';
import { SizeChart, UnitsToggle } from './size-chart';
import { SizeGuideLink } from './size-guide-link';
import { formatLength } from './units';

const sizes = ['XS', 'S', 'M', 'L', 'XL', 'XXL'] as const;
const INCH = 25_400;

const row = (point: MeasurementPoint, inches: readonly number[]) => ({
  point,
  lengths: inches.map((length, index) => ({ size: sizes[index] ?? 'XS', micrometers: length * INCH })),
});

const product: ProductMeasurementsFragment = {
  name: 'Straight Jean',
  category: { id: 'men_jeans', key: 'men_jeans', kind: { key: 'jeans' } },
  sizes: [...sizes],
  measurements: [
    row('WAIST', [29, 31, 33, 35, 37, 39]),
    row('FRONT_RISE', [10.75, 11, 11.25, 11.5, 11.75, 12]),
    row('HEM', [8, 8.25, 8.5]),
  ],
};
const jeans = sizeTable(product);
if (!jeans) throw new Error('Jeans are not measured.');

const chart = { table: jeans, sizes, chosen: 'M' } as const;

const cells = (name: string) =>
  within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

test('a product that nobody has measured has no table, no drawing and no way to a guide', () => {
  const unmeasured = { ...product, measurements: [] };

  const { container } = renderShop(
    <>
      <SizeGuideLink product={unmeasured} chosen="M" />
      <MeasurementsSection product={unmeasured} chosen="M" />
    </>,
  );

  expect(screen.queryByRole('link', { name: 'Size guide' })).toBeNull();
  expect(screen.queryByRole('table')).toBeNull();
  expect(container.querySelector('svg')).toBeNull();
});

test.each([
  ['men_cords', ['WAIST', 'INSEAM'], 'trouser'],
  ['women_jackets', ['BUST', 'SLEEVE'], 'shapedShirt'],
  ['men_jackets', ['CHEST', 'SLEEVE'], 'shirt'],
] as const)('%s, a category of the owner, has a table and a drawing of what is measured', (key, points, outline) => {
  const category = { ...product.category, key };

  const table = sizeTable({ ...product, category, measurements: points.map((point) => row(point, [20, 21])) });

  expect(table?.rows.map(({ point }) => point)).toEqual(points);
  expect(table?.outline).toBe(outline);
});

test('the drawing shows the points that are measured, and a size without a measurement a dash', () => {
  const { container } = renderShop(<SizeChart {...chart} />);

  expect([...container.querySelectorAll('svg text')].map((letter) => letter.textContent)).toEqual(['A', 'B', 'C']);
  expect(cells('C Hem')).toEqual(['8', '8¼', '8½', '–', '–', '–']);
});

test('what is measured all the way round is said', () => {
  const shirt: ProductMeasurementsFragment = {
    ...product,
    category: { id: 'men_shirts', key: 'men_shirts', kind: { key: 'shirts' } },
    measurements: [row('COLLAR', [15]), row('CHEST', [40]), row('LENGTH', [30])],
  };

  expect(jeans.how).toBe('Laid flat. Waist is measured all the way round.');
  expect(sizeTable(shirt)?.how).toBe('Laid flat, buttoned. Collar and chest are measured all the way round.');
});

test.each([
  [11.25, 'in', '11¼'],
  [10.75, 'in', '10¾'],
  [33, 'in', '33'],
  [11.25, 'cm', '28.5'],
  [33, 'cm', '84'],
] as const)('%f inches in %s are %s', (inches, units, words) => {
  expect(formatLength(inches * INCH, units)).toBe(words);
});

test('the column of the chosen size is marked, for eyes and for ears', () => {
  const { container } = renderShop(<SizeChart {...chart} />);

  expect(screen.getByRole('columnheader', { name: 'M, your size' })).toHaveAttribute('data-chosen');
  const marked = [...container.querySelectorAll('td[data-chosen]')].map((cell) => cell.textContent);
  expect(marked).toEqual(['33', '11¼', '8½']);
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

  expect(cells('C Hem')).toEqual(['20.5', '21', '21.5', '–', '–', '–']);
});

test('the size guide opens over the page; its address leads to the measurements below', async () => {
  const { user } = renderShop(<SizeGuideLink product={product} chosen="M" />);
  const link = screen.getByRole('link', { name: 'Size guide' });

  await user.click(link);

  const dialog = await screen.findByRole('dialog', { name: 'Size guide' });
  expect(within(dialog).getByRole('columnheader', { name: 'M, your size' })).toBeInTheDocument();
  expect(link).toHaveAttribute('href', '#measurements');
  await user.click(within(dialog).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});
