import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderShop } from '~/test/shop';
import { jean } from './fixtures';
import { ProductCard } from './product-card';

const card = (over?: Parameters<typeof jean>[0]) => <ProductCard product={jean(over)} sizes="100vw" />;

// spec: screens.card.links
test('picture and name both lead to the product', () => {
  renderShop(card());

  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));

  expect(links).toEqual(['/product/p1', '/product/p1']);
});

// spec: screens.card.discount
test('a discount that counts is labelled with a leading minus, and the old price is struck through', () => {
  const { container } = renderShop(card({ discountedPrice: '96.00', discountPercentage: 20 }));

  expect(screen.getByText('-20%', { exact: false })).toHaveTextContent('-20%');
  expect(container.querySelector('s')).toHaveTextContent('$120.00');
});

// spec: validation.discount
test('a discounted price that is not lower is neither labelled nor shown', () => {
  const { container } = renderShop(card({ discountedPrice: '120.00', discountPercentage: 0 }));

  expect(container).not.toHaveTextContent('%');
  expect(container.querySelector('s')).toBeNull();
  expect(container).toHaveTextContent('$120.00');
});

// spec: screens.card.swatches
test('the first color is chosen, and another color brings its own picture', async () => {
  const { user } = renderShop(card());
  expect(screen.getByRole('radio', { name: 'Indigo' })).toBeChecked();

  await user.click(screen.getByRole('radio', { name: 'Black' }));

  expect(screen.getByRole('img', { name: 'Straight Jean, Black, front' })).toBeInTheDocument();
  expect(screen.queryByRole('img', { name: 'Straight Jean, Indigo, front' })).toBeNull();
});

test('the chosen color goes along to the product', async () => {
  const { user } = renderShop(card());

  await user.click(screen.getByRole('radio', { name: 'Black' }));

  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  expect(links).toEqual(['/product/p1?color=Black', '/product/p1?color=Black']);
});

// spec: screens.card.carousel
test('arrows and dots show the next picture', async () => {
  const { user } = renderShop(card());

  await user.click(screen.getByRole('button', { name: 'Next picture' }));

  expect(screen.getByRole('button', { name: 'Picture 2 of 2' })).toHaveAttribute('aria-current', 'true');

  await user.click(screen.getByRole('button', { name: 'Picture 1 of 2' }));

  expect(screen.getByRole('button', { name: 'Picture 1 of 2' })).toHaveAttribute('aria-current', 'true');
});

// spec: screens.card.price
test('a product without a piece left says so beside its price', () => {
  const { container } = renderShop(card({ stock: 0 }));

  expect(container).toHaveTextContent('Sold out');
  expect(container).toHaveTextContent('$120.00');
});
