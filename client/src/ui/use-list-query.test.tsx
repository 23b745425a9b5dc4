import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useEffect } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { describe, expect, it } from 'vitest';
import { Pager } from './pager';
import { type ListQuery, useListQuery } from './use-list-query';

type Values = { search: string; role: string };
const beginning: Values = { search: '', role: 'all' };

function Address() {
  const { pathname, search } = useLocation();
  return <output>{pathname + search}</output>;
}

function Pages({ list }: { list: ListQuery<Values> }) {
  return (
    <Pager list={list} size={2} shown={2} total={7} pageInfo={{ hasNextPage: true, endCursor: `c${list.page}` }} />
  );
}

function List({ onRender }: { onRender: (list: ListQuery<Values>) => void }) {
  const list = useListQuery(beginning);
  useEffect(() => {
    onRender(list);
  });
  return <Pages list={list} />;
}

/** The list at an address; `state()` is what it is by now. */
function open(at: string) {
  const seen: ListQuery<Values>[] = [];
  render(
    <MemoryRouter initialEntries={[at]}>
      <List onRender={(list) => seen.push(list)} />
      <Address />
    </MemoryRouter>,
  );
  return () => {
    const last = seen.at(-1);
    if (!last) throw new Error('The list was not shown.');
    return last;
  };
}

const address = () => screen.getByText(/^\/admin/).textContent;

describe('the state of a list', () => {
  it('is what the address says, or else its beginning', () => {
    const state = open('/admin?tab=users&search=ada');

    expect(state().values).toEqual({ search: 'ada', role: 'all' });
    expect(state().isNarrowed).toBe(true);
    expect([state().page, state().after, state().previous]).toEqual([1, null, null]);
  });

  it('leaves other parameters alone, names nothing that is as in the beginning, and keeps one order', () => {
    const state = open('/admin?tab=users&role=admins');

    act(() => state().set({ search: 'ada' }));
    expect(address()).toBe('/admin?tab=users&search=ada&role=admins');
    act(() => state().set({ role: 'all' }));

    expect(address()).toBe('/admin?tab=users&search=ada');
  });

  it('goes on page by page and all the way back', async () => {
    const user = userEvent.setup();
    open('/admin?search=ada');

    await user.click(screen.getByRole('link', { name: 'Next' }));
    await user.click(screen.getByRole('link', { name: 'Next' }));
    expect(address()).toBe('/admin?search=ada&after=c2&page=3');
    expect(screen.getByText('5 to 6 of 7')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Previous' }));
    expect(address()).toBe('/admin?search=ada&after=c1&page=2');
    await user.click(screen.getByRole('link', { name: 'Previous' }));

    expect(address()).toBe('/admin?search=ada');
    expect(screen.queryByRole('link', { name: 'Previous' })).toBeNull();
  });

  it('begins anew with its first page when a filter changes', () => {
    const state = open('/admin?after=c1&page=2');

    act(() => state().set({ role: 'admins' }));

    expect(address()).toBe('/admin?role=admins');
  });

  it('leads back to the first page when nobody knows how this one was reached', () => {
    const state = open('/admin?after=c4&page=5');

    expect(state().previous).toEqual({ to: '/admin?', state: { trail: [] } });
  });
});
