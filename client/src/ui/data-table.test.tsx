import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { type Column, DataTable } from './data-table';

interface Shirt {
  id: string;
  name: string;
  price: number;
}

const shirts: Shirt[] = [
  { id: 'a', name: 'Oxford', price: 89 },
  { id: 'b', name: 'Linen', price: 59 },
];
const columns: Column<Shirt>[] = [
  { title: 'Name', isRowHeader: true, cell: ({ name }) => name },
  {
    title: 'Price',
    kind: 'number',
    label: true,
    sorts: { ascending: 'cheapest', descending: 'dearest', first: 'dearest' },
    cell: ({ price }) => price,
  },
  { title: 'Controls', kind: 'controls', cell: ({ name }) => <button type="button">Drop {name}</button> },
];

test('a table has its columns, and names its rows', () => {
  render(<DataTable label="Shirts" rows={shirts} columns={columns} />);

  expect(screen.getByRole('table', { name: 'Shirts' })).toBeVisible();
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Name',
    'Price',
    'Controls',
  ]);
  expect(screen.getAllByRole('rowheader').map(({ textContent }) => textContent)).toEqual(['Oxford', 'Linen']);
  expect(screen.getByRole('cell', { name: '89' })).toHaveAttribute('data-label', 'Price');
});

test('a table without rows says so', () => {
  render(<DataTable label="Shirts" rows={[]} empty="No shirts." columns={columns} />);

  expect(screen.getByText('No shirts.')).toBeVisible();
  expect(screen.queryByRole('table')).toBeNull();
});

test.each([
  ['name', 'none', 'dearest'],
  ['dearest', 'descending', 'cheapest'],
  ['cheapest', 'ascending', 'dearest'],
])('a column sorted by %s is %s, and a press sorts by %s', async (by, sorted, next) => {
  const onSort = vi.fn();
  render(<DataTable label="Shirts" rows={shirts} columns={columns} sorting={{ by, onSort }} />);
  const head = screen.getByRole('columnheader', { name: 'Price' });

  expect(head).toHaveAttribute('aria-sort', sorted);
  await userEvent.click(within(head).getByRole('button'));

  expect(onSort).toHaveBeenCalledExactlyOnceWith(next);
});

test('rows are ticked one by one or all at once', async () => {
  const selection = {
    has: (id: string) => id === 'a',
    toggle: vi.fn(),
    toggleAll: vi.fn(),
    nameOf: (row: Shirt) => row.name,
  };
  render(<DataTable label="Shirts" rows={shirts} columns={columns} selection={selection} />);

  expect(screen.getByRole('row', { selected: true })).toHaveTextContent('Oxford');
  expect(screen.getByRole('checkbox', { name: 'Select all on this page' })).not.toBeChecked();
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select Linen' }));
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all on this page' }));

  expect(selection.toggle).toHaveBeenCalledExactlyOnceWith('b');
  expect(selection.toggleAll).toHaveBeenCalledOnce();
});
