import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Size } from '~/graphql/catalogue';
import { renderShop } from '~/test/shop';
import { jean } from './fixtures';
import { ProductBuy } from './product-buy';
import { type ProductChoice, useProductChoice } from './use-product-choice';

const stock: Record<string, Record<Size, number>> = {
  c1: { XS: 0, S: 9, M: 2, L: 9, XL: 9, XXL: 0 },
  c2: { XS: 9, S: 0, M: 9, L: 9, XL: 9, XXL: 9 },
};
const sizes = Object.keys(stock['c1'] ?? {}) as Size[];
const variants = Object.entries(stock).flatMap(([color, pieces]) =>
  sizes.map((size) => ({ id: `${color}-${size}`, size, stock: pieces[size] ?? 0, color: { id: color } })),
);
const product = { ...jean(), description: 'Straight from hip to hem.', sizes, variants };

function Page({ of = product, most = 10 }: { of?: typeof product; most?: number }) {
  const choice = useProductChoice(of, most);
  return <ProductBuy product={of} choice={choice} addToCart={<Chosen choice={choice} />} />;
}

function Chosen({ choice }: { choice: ProductChoice }) {
  return (
    <button type="button" disabled={choice.soldOut} onClick={choice.askForSize}>
      {choice.variant?.id ?? 'none'} x {choice.quantity}
    </button>
  );
}

const chosen = () => screen.getByRole('button', { name: / x \d/ });

// spec: screens.product.parts
test('shows name, subtitle, price and description above the choice', () => {
  const { container } = renderShop(<Page />);

  expect(screen.getByRole('heading', { level: 1, name: 'Straight Jean' })).toBeVisible();
  expect(screen.getByText('Washed 12 oz denim')).toBeVisible();
  expect(container).toHaveTextContent('$120.00');
  expect(screen.getByText('Straight from hip to hem.')).toBeVisible();
  expect(screen.getAllByRole('radio')).toHaveLength(2 + 6);
  expect(screen.getByRole('group', { name: 'Quantity' })).toHaveTextContent('1');
});

// spec: screens.product.parts
test('the first color is preselected and no size', () => {
  renderShop(<Page />);

  expect(screen.getByRole('radio', { name: 'Indigo' })).toBeChecked();
  expect(chosen()).toHaveTextContent('none x 1');
  expect(screen.getByText('XS and XXL are sold out.')).toBeInTheDocument();
});

test('the only size is preselected', () => {
  renderShop(<Page of={{ ...product, sizes: ['M'] }} />);

  expect(chosen()).toHaveTextContent('c1-M x 1');
});

test('few pieces are told, and no more than there are can be asked for', async () => {
  const { user } = renderShop(<Page />);

  await user.click(screen.getByRole('radio', { name: 'M' }));
  await user.click(screen.getByRole('button', { name: 'One more' }));

  expect(screen.getByText('Only 2 left in M.', { exact: false })).toBeInTheDocument();
  expect(chosen()).toHaveTextContent('c1-M x 2');
  expect(screen.getByRole('button', { name: 'One more' })).toBeDisabled();
});

test('no more than an order may have of one variant can be asked for', async () => {
  const { user } = renderShop(<Page most={2} />);

  await user.click(screen.getByRole('radio', { name: 'S' }));
  await user.click(screen.getByRole('button', { name: 'One more' }));

  expect(chosen()).toHaveTextContent('c1-S x 2');
  expect(screen.getByRole('button', { name: 'One more' })).toBeDisabled();
});

// spec: validation.quantity
test('the quantity is never below 1', async () => {
  renderShop(<Page />);

  expect(screen.getByRole('button', { name: 'One less' })).toBeDisabled();
});

test('another color keeps the size and says what is sold out there', async () => {
  const { user } = renderShop(<Page />);
  await user.click(screen.getByRole('radio', { name: 'L' }));

  await user.click(screen.getByRole('radio', { name: 'Black' }));

  expect(chosen()).toHaveTextContent('c2-L x 1');
  expect(screen.getByText('S is sold out.')).toBeInTheDocument();
});

test('a sold-out size can be chosen but not bought', async () => {
  const { user } = renderShop(<Page />);

  await user.click(screen.getByRole('radio', { name: 'XS, sold out' }));

  expect(chosen()).toBeDisabled();
});

test('adding without a size asks for one and puts focus there', async () => {
  const { user } = renderShop(<Page />);

  await user.click(chosen());

  expect(screen.getByRole('alert')).toHaveTextContent('Choose a size first');
  expect(screen.getByRole('radio', { name: 'XS, sold out' })).toHaveFocus();
});

test('asking again says and shows it again', async () => {
  const { user } = renderShop(<Page />);
  await user.click(chosen());
  const first = screen.getByRole('alert');

  await user.click(chosen());

  expect(screen.getByRole('alert')).not.toBe(first);
  expect(screen.getByRole('radio', { name: 'XS, sold out' })).toHaveFocus();
});

test('color and size stand in the address, for a reload', async () => {
  const { user } = renderShop(<Page />, '/product/p1?variant=c1-M&quantity=3');

  await user.click(screen.getByRole('radio', { name: 'Black' }));
  await user.click(screen.getByRole('radio', { name: 'XL' }));

  expect(screen.getByTestId('address')).toHaveTextContent(/^\/product\/p1\?quantity=3&color=Black&size=XL$/);
});

test.each([
  ['?color=Black&size=XL', 'c2-XL x 1'],
  ['?color=Black', 'none x 1'],
  ['?color=Plaid&size=9', 'none x 1'],
])('the address %s chooses %s', (query, words) => {
  renderShop(<Page />, `/product/p1${query}`);

  expect(chosen()).toHaveTextContent(words);
  expect(screen.getByRole('radio', { name: query.includes('Black') ? 'Black' : 'Indigo' })).toBeChecked();
});

test('the address restores a choice that could not be put in the cart', () => {
  renderShop(<Page />, '/product/p1?variant=c2-XL&quantity=3');

  expect(screen.getByRole('radio', { name: 'Black' })).toBeChecked();
  expect(chosen()).toHaveTextContent('c2-XL x 3');
});

// spec: screens.product.discount
test('a discount is told in percent OFF beside both prices', () => {
  const { container } = renderShop(<Page of={{ ...product, discountedPrice: '96.00', discountPercentage: 20 }} />);

  expect(container).toHaveTextContent('Now $96.00Before $120.0020% OFF');
});
