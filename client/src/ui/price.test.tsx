import { render } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { formatPrice, isDiscounted, Price } from './price';

describe('formatPrice', () => {
  // spec: screens.card.price, constants.money
  test.each([
    ['96', '$96.00'],
    ['96.5', '$96.50'],
    ['1234567.89', '$1,234,567.89'],
    ['0.07', '$0.07'],
    ['-12.30', '-$12.30'],
  ])('shows %s as %s', (amount, shown) => {
    expect(formatPrice(amount)).toBe(shown);
  });

  test('refuses what is no amount', () => {
    expect(() => formatPrice('free')).toThrow('Not an amount: free');
  });
});

describe('a discount counts', () => {
  // spec: validation.discount
  test.each([
    ['120.00', '96.00', true],
    ['120.00', '119.99', true],
    ['120.00', '120', false],
    ['90.00', '100.00', false],
    ['120.00', '0', false],
    ['120.00', null, false],
  ])('of %s to %s: %s', (price, discountedPrice, counts) => {
    expect(isDiscounted(price, discountedPrice)).toBe(counts);
  });

  test('and only then the old price is struck through', () => {
    const { container, rerender } = render(<Price price="120.00" discountedPrice="96.00" />);

    expect(container).toHaveTextContent('Now $96.00Before $120.00');
    expect(container.querySelector('s')).toHaveTextContent('$120.00');

    rerender(<Price price="120.00" discountedPrice="120.00" />);

    expect(container).toHaveTextContent('$120.00');
    expect(container.querySelector('s')).toBeNull();
  });
});
