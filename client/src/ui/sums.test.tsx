import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { daysInWords, type Purchase, Sums } from './sums';

const purchase: Purchase = {
  subtotal: '98.00',
  discountCode: 'WELCOME10',
  discount: '9.80',
  delivery: { name: 'Europe', price: '12.00', minDays: 3, maxDays: 5 },
  tax: { name: 'VAT', rate: '20%', amount: '20.04', isIncluded: false },
  total: '120.24',
};

/** The rows as they are read: label, then amount. */
const rows = () => screen.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]);

describe('the sums of a purchase', () => {
  it('are the goods, the discount, the delivery, the tax and the total', () => {
    render(<Sums of={purchase} />);

    expect(rows()).toEqual([
      ['Subtotal', '$98.00'],
      ['Discount, WELCOME10', '-$9.80'],
      ['Shipping, Europe3 to 5 working days', '$12.00'],
      ['VAT 20%', '$20.04'],
      ['Total', '$120.24'],
    ]);
  });

  it('have no row for what there is none of, and say what the total includes', () => {
    const included = { name: 'VAT', rate: '20%', amount: '16.33', isIncluded: true };
    const delivery = { name: '', price: '0.00', minDays: null, maxDays: null };
    render(
      <Sums of={{ ...purchase, discountCode: null, discount: '0.00', delivery, tax: included, total: '98.00' }} />,
    );

    expect(rows()).toEqual([
      ['Subtotal', '$98.00'],
      ['Shipping', 'Free'],
      ['TotalIncludes $16.33 VAT 20%', '$98.00'],
    ]);
  });

  it.each([
    [0, 0, 'The same day'],
    [1, 1, 'The next working day'],
    [2, 2, '2 working days'],
    [3, 5, '3 to 5 working days'],
    [null, null, undefined],
  ])('take %s to %s days in words', (least, most, words) => {
    expect(daysInWords(least, most)).toBe(words);
  });
});
