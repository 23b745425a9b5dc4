import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BarChart } from './bar-chart';
import { LineChart } from './line-chart';
import { NamedBars } from './named-bars';
import type { ChartData } from './series';

const data = (labels: string[]): ChartData => ({
  labels,
  series: ['Shirts', 'Jeans', 'Trousers'].map((name) => ({ name, values: [900, 400, 1] })),
  before: null,
  left: 0,
});
const autumn = data(['Sep 2026', 'Oct 2026', 'Nov 2026']);
const summer = data(['Jun 2026', 'Jul 2026', 'Aug 2026']);

beforeEach(() => {
  vi.spyOn(globalThis, 'matchMedia').mockImplementation(
    () => ({ matches: true, addEventListener() {}, removeEventListener() {} }) as never,
  );
});
afterEach(() => vi.restoreAllMocks());

it('names the parts of stacked bars in a legend with their marks, and not beside the last bar', () => {
  const { container } = render(<BarChart stacked data={autumn} unit="MONEY" label="Net sales" />);

  const named = [...container.querySelectorAll('li')];
  expect(named.map(({ textContent }) => textContent)).toEqual(['Shirts', 'Jeans', 'Trousers']);
  expect(named.every((name) => name.querySelector('rect'))).toBe(true);
  expect([...container.querySelectorAll('text')].map(({ textContent }) => textContent)).not.toContain('Jeans');
});

const compared = (values: (number | null)[]) => ({ ...autumn, before: { name: 'The year before', values } });

describe.each([
  ['bars', BarChart],
  ['lines', LineChart],
])('a comparison in %s', (_, Chart) => {
  it.each([
    ['gaps', [null, null, null]],
    ['zeros', [0, null, 0]],
  ])('of nothing but %s is not drawn', (_kind, values) => {
    const { container } = render(<Chart data={compared(values)} unit="MONEY" label="Net sales" />);

    expect(container).not.toHaveTextContent('The year before');
    expect(container.querySelectorAll('.recharts-line, .recharts-bar')).toHaveLength(3);
  });

  it('of something is drawn', () => {
    const { container } = render(<Chart data={compared([0, null, 7])} unit="MONEY" label="Net sales" />);

    expect(container).toHaveTextContent('The year before');
    expect(container.querySelectorAll('.recharts-line, .recharts-bar')).toHaveLength(4);
  });
});

describe.each([
  ['bars', BarChart],
  ['lines', LineChart],
])('the tooltip of %s', (_, Chart) => {
  it('goes with the period that it was about', async () => {
    const { container, rerender } = render(<Chart data={autumn} unit="MONEY" label="Net sales" />);
    const surface = container.querySelector('.recharts-wrapper') as Element;
    fireEvent.mouseMove(surface, { clientX: 300, clientY: 100 });
    expect(await screen.findByText(/2026/, { selector: 'strong' })).toBeInTheDocument();

    rerender(<Chart data={summer} unit="MONEY" label="Net sales" />);

    expect(container.querySelector('strong')).toBeNull();
  });
});

const many = Array.from({ length: 40 }, (_, place) => `Straight Jean of a long name, Indigo, number ${place + 1}`);
const sold: ChartData = {
  labels: many,
  series: [{ name: 'Net sales', values: many.map((_, place) => place * 10 - 20) }],
  before: null,
  left: 0,
};

it('names each of forty lying bars in full, with its value', () => {
  render(<NamedBars data={sold} unit="MONEY" label="Net sales" />);

  const rows = screen.getAllByRole('listitem');
  expect(rows.map((row) => row.firstChild?.textContent)).toEqual(many);
  expect(rows[39]).toHaveTextContent('$370.00');
});

it('draws lying bars from nothing to their values, those below nothing to the left', () => {
  const { container } = render(<NamedBars data={sold} unit="COUNT" label="Net sales" />);

  const bars = [...container.querySelectorAll('li rect')].map((bar) => [
    Number.parseFloat(bar.getAttribute('x') ?? ''),
    Number.parseFloat(bar.getAttribute('width') ?? ''),
  ]);
  expect(bars[0]).toEqual([0, (20 / 390) * 100]);
  expect(bars[2]).toEqual([(20 / 390) * 100, 0]);
  expect(bars[39]).toEqual([(20 / 390) * 100, (370 / 390) * 100]);
});

it('puts the parts of a stacked lying bar one behind the other, and gives their sum', () => {
  const { container } = render(<NamedBars stacked data={data(['Men', 'Women'])} unit="MONEY" label="Units" />);

  expect(screen.getByText('$2,700.00')).toBeVisible();
  const starts = [...container.querySelectorAll('ul:first-child li:first-child rect')].map((bar) =>
    bar.getAttribute('x'),
  );
  expect(starts.map((x) => Math.round(Number.parseFloat(x ?? '')))).toEqual([0, 33, 67]);
});
