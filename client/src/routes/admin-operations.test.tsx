import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import OperationsScreen from './admin-operations';
import type { AdminViewer } from './admin-viewer';
import { AdminOperationsDocument } from './admin-operations.generated';

const shop = shopServer();
const owner = {
  __typename: 'Viewer',
  id: 'u1',
  email: 'owner@minimal.test',
  role: 'ADMIN',
  isPrimaryAdmin: true,
  secondFactorMissing: false,
} as const;
const silent = {
  __typename: 'ProcessStatus',
  id: 'p1',
  role: 'worker',
  version: '0.1.0',
  host: 'host-1',
  pid: 4711,
  startedAt: '2026-11-24T08:00:00Z',
  seenAt: '2026-11-24T09:57:30Z',
  isAlive: false,
  isLeader: false,
  indexAgeSeconds: 0,
  replica: null,
};
const mail = {
  __typename: 'QueueStatus',
  name: 'mail',
  running: 1,
  waiting: 12,
  oldestSeconds: 90,
  retrying: 2,
  failed: 3,
};
const failure = {
  __typename: 'FailedJob',
  id: 'j1',
  kind: 'mail',
  reference: 'Your order M-10001',
  attempts: 20,
  error: 'Refused: SMTPDataError 550',
  failedAt: '2026-11-24T09:00:00Z',
};

const answer = (changes: object) => ({
  admin: {
    __typename: 'Admin',
    operations: {
      __typename: 'Operations',
      at: '2026-11-24T10:00:00Z',
      reportsLagSeconds: 0,
      backups: null,
      processes: [],
      queues: [{ ...mail, running: 0, waiting: 0, oldestSeconds: null, retrying: 0, failed: 0 }],
      failures: [],
      ...changes,
    },
  },
});
const open = (viewer: AdminViewer = owner) => renderShop(<OperationsScreen viewer={viewer} />, '/admin/operations');

describe('the operator’s page', () => {
  it('shows processes, queues and failures', async () => {
    shop.answer(AdminOperationsDocument, answer({ processes: [silent], queues: [mail], failures: [failure] }));

    open();

    const processes = await screen.findByRole('table', { name: 'Processes' });
    const row = within(processes).getByRole('row', { name: /worker/ });
    expect(within(row).getByText('Silent for 2 min')).toBeVisible();
    expect(within(row).getByText('host-1')).toBeVisible();
    expect(within(row).queryByText('Current')).toBeNull();
    const queues = screen.getByRole('table', { name: 'Background work' });
    expect(within(queues).getByRole('row', { name: 'Mail 1 12 1 min 2 3' })).toBeVisible();
    const failures = screen.getByRole('table', { name: 'Last failures' });
    expect(within(failures).getByText('Refused: SMTPDataError 550')).toBeVisible();
    expect(screen.getByRole('link', { name: 'All failed jobs' })).toHaveAttribute('href', '/admin/jobs');
  });

  it('says so where there is nothing', async () => {
    shop.answer(AdminOperationsDocument, answer({}));

    open();

    expect(await screen.findByText('Nothing has failed.')).toBeVisible();
    expect(screen.getByText(/^No process has said anything yet/)).toBeVisible();
  });

  it('says what the server said when it cannot look', async () => {
    shop.fail(AdminOperationsDocument, 'UNAVAILABLE');

    open();

    expect(await screen.findByRole('alert')).toHaveTextContent('Refused.');
  });

  it('keeps what it saw, and says that it is from before, when it cannot look again', async () => {
    shop.answer(AdminOperationsDocument, answer({ failures: [failure] }));
    const { client } = open();
    await screen.findByRole('table', { name: 'Last failures' });
    shop.fail(AdminOperationsDocument, 'UNAVAILABLE');

    await act(async () => {
      await client.refetchQueries({ include: 'active' }).catch(() => undefined);
    });

    expect(await screen.findByText(/What is shown below was fetched before/)).toBeVisible();
    expect(screen.getByRole('table', { name: 'Last failures' })).toBeVisible();
  });

  it('asks nothing for an admin who is not the owner', () => {
    open({ ...owner, isPrimaryAdmin: false });

    expect(screen.getByRole('alert')).toHaveTextContent('Only the primary admin sees how the shop runs.');
  });
});
