import { act, screen, within } from '@testing-library/react';
import { GraphQLError } from 'graphql';
import { http, HttpResponse } from 'msw';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { session } from '~/session/storage';
import { renderShop, shopServer } from '~/test/shop';
import AdminRoute from './admin';
import { AdminLogChoicesDocument, AdminLogDocument } from './admin-log.generated';
import { busiest, links, tabs } from './admin-screens';

const shop = shopServer();

const here = { __typename: 'Shop', timeZone: 'Pacific/Kiritimati' };

/** A shop that knows who asks and fails at everything else, in words or without. */
function failingShop(viewer: object | null, code = 'INTERNAL') {
  shop.use(
    http.post('http://shop.test/graphql', async ({ request }) => {
      const { operationName } = (await request.json()) as { operationName: string };
      if (viewer && operationName === 'AdminViewer') return HttpResponse.json({ data: { shop: here, viewer } });
      return HttpResponse.json({ errors: [new GraphQLError('Refused.', { extensions: { code } })] });
    }),
  );
}

const owner = {
  __typename: 'Viewer',
  id: 'u1',
  email: 'owner@minimal.test',
  role: 'ADMIN',
  isPrimaryAdmin: true,
  secondFactorMissing: false,
};
const admin = { ...owner, isPrimaryAdmin: false };

beforeEach(() => session.signIn({ id: 'u1', name: 'Olive Owner', email: 'owner@minimal.test', role: 'admin' }));
afterEach(() => act(() => session.signOut()));

const open = (tab = 'users') => renderShop(<AdminRoute />, `/admin?tab=${tab}`);

describe('the dashboard', () => {
  // spec: screens.admin.tabs
  it('has four tabs', async () => {
    failingShop(owner);

    open();

    const tabs = await screen.findAllByRole('tab');
    expect(tabs.map(({ textContent }) => textContent)).toEqual([
      'User Control',
      'Product Control',
      'Analytics',
      'Create New Product',
    ]);
    expect(screen.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeVisible();
  });

  // spec: roles.admin
  it.each(['users', 'products', 'analytics', 'create'])('is denied to who is no admin, at the tab %s', async (tab) => {
    failingShop({ ...admin, role: 'USER' });

    open(tab);

    expect(await screen.findByText('Access Denied - Admin Only')).toBeVisible();
    expect(screen.queryByRole('tab')).toBeNull();
  });

  // spec: errors.admin.status
  it.each([
    ['INTERNAL', 'Error checking admin status'],
    ['UNAVAILABLE', 'Refused.'],
  ])('that cannot tell who looks, after %s, says: %s', async (code, words) => {
    failingShop(null, code);

    open();

    expect(await screen.findByText(words)).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  });
});

describe('a panel that does not load', () => {
  // spec: errors.products.fetch, errors.admin.requests, errors.admin.users, errors.admin.analytics, errors.admin.panel
  it.each([
    ['users', 'Error retrieving users'],
    ['users', 'Failed to fetch admin requests'],
    ['products', 'Error retrieving products'],
    ['analytics', 'Error fetching analytics'],
  ])('of the tab %s says that something went wrong, and what: %s', async (tab, words) => {
    failingShop(owner);

    open(tab);

    const panel = within((await screen.findByText(words)).closest('[role="alert"]') as HTMLElement);
    expect(panel.getByRole('heading', { name: 'Something went wrong' })).toBeVisible();
    expect(panel.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/');
  });

  // spec: errors.server.words
  it('passes on what the server says', async () => {
    failingShop(owner, 'UNAVAILABLE');

    open('analytics');

    expect(await screen.findByText('Refused.')).toBeVisible();
  });
});

describe('the controls of the primary admin', () => {
  // spec: roles.primary
  it.each(['users', 'products'])('say at the tab %s why others cannot use them', async (tab) => {
    failingShop(admin);

    open(tab);

    expect(await screen.findByText('You lack privileges to use these controls')).toBeVisible();
  });

  it('need no explanation to the primary admin', async () => {
    failingShop(owner);

    open();

    await screen.findByText('Error retrieving users');
    expect(screen.queryByText('You lack privileges to use these controls')).toBeNull();
  });
});

it('leads from the products to import and export, also while they do not load', async () => {
  failingShop(owner);

  open('products');

  expect(await screen.findByRole('link', { name: 'Import and export' })).toHaveAttribute('href', '/admin/import');
});

it("writes days and times in the shop's time zone", async () => {
  const pageInfo = { __typename: 'PageInfo', hasNextPage: false, endCursor: null };
  const auditLog = { __typename: 'AuditLog', totalCount: 0, pageInfo, nodes: [] };
  const auditChoices = { __typename: 'AuditChoices', actors: [], actions: [], kinds: [] };
  failingShop(owner);
  shop.answer(AdminLogChoicesDocument, { admin: { __typename: 'Admin', auditChoices } });
  shop.answer(AdminLogDocument, { admin: { __typename: 'Admin', auditLog } });

  renderShop(<AdminRoute screen="log" />, '/admin/log');

  expect(await screen.findByText('Days and times in Pacific/Kiritimati')).toBeVisible();
});

function narrow() {
  vi.stubGlobal('matchMedia', (media: string) => ({
    matches: media.includes('max-width'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
}

describe('the rooms', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('stand beside the screen, one below the other, and walk by the arrow keys', async () => {
    failingShop(owner);
    const { user } = open();
    const list = await screen.findByRole('tablist');

    within(list).getByRole('tab', { name: 'User Control' }).focus();
    await user.keyboard('{ArrowDown}');

    expect(list).toHaveAttribute('aria-orientation', 'vertical');
    expect(within(list).getByRole('tab', { name: 'Product Control' })).toHaveFocus();
    expect(screen.getByTestId('address')).toHaveTextContent('/admin?tab=products');
    expect(screen.getByRole('link', { name: 'Settings' })).toHaveAttribute('href', '/admin/settings');
  });

  it('stand on a narrow window in a bar, four of them, and all in a sheet that goes with the choice', async () => {
    narrow();
    failingShop(owner);
    const { user } = open();
    const bar = within(await screen.findByRole('navigation', { name: 'Busiest of the back office' }));
    const busy = bar.getAllByRole('link').map(({ textContent }) => textContent);

    await user.click(bar.getByRole('button', { name: 'All' }));
    const sheet = within(screen.getByRole('dialog', { name: 'Admin Dashboard' }));
    const rooms = sheet.getAllByRole('tab').map(({ textContent }) => textContent);
    await user.click(sheet.getByRole('tab', { name: 'Analytics' }));

    expect(busy).toEqual(['Orders', 'Stock', 'Products', 'Users']);
    expect(rooms).toEqual(['User Control', 'Product Control', 'Analytics', 'Create New Product']);
    expect(screen.getByTestId('address')).toHaveTextContent('/admin?tab=analytics');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('tabpanel', { name: 'Analytics' })).toBeVisible();
  });

  it('name on a phone the same addresses as beside the screen', () => {
    const everywhere = [...tabs.map(({ id }) => `/admin?tab=${id}`), ...links.map(({ to }) => to)];

    expect(everywhere).toEqual(expect.arrayContaining(busiest.map(({ to }) => to)));
  });
});
