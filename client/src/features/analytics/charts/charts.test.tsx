import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BarChart } from './bar-chart';
import { LineChart } from './line-chart';
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
