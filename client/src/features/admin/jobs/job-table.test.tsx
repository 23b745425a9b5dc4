import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { toastQueue } from '~/ui/toast';
import { JobTable } from './job-table';
import { DeleteJobDocument, type FailedJobRowFragment, RetryJobDocument } from './jobs.generated';

const shop = shopServer();
const mail: FailedJobRowFragment = {
  id: 'j1',
  kind: 'mail',
  reference: 'Your order M-10001',
  attempts: 1,
  error: 'Refused: SMTPDataError 550',
  createdAt: '2026-11-22T10:00:00Z',
  failedAt: '2026-11-22T10:00:02Z',
};
const table = (allowed: boolean, onDecided = () => {}) => (
  <JobTable jobs={[mail]} stale={false} allowed={allowed} noteId="note" onDecided={onDecided} />
);

describe('failed jobs', () => {
  it('are shown with what they are about and why they failed', () => {
    renderShop(table(false));

    const row = screen.getByRole('row', { name: /Your order M-10001/ });
    expect(within(row).getByText('Refused: SMTPDataError 550')).toBeVisible();
    expect(within(row).getByRole('button', { name: 'Start again: Mail Your order M-10001' })).toBeDisabled();
    expect(within(row).getByRole('button', { name: 'Drop: Mail Your order M-10001' })).toBeDisabled();
  });

  it('are started again', async () => {
    const requests = shop.answer(RetryJobDocument, { retryJob: { __typename: 'Success', ok: true } });
    const onDecided = vi.fn();
    const { user } = renderShop(table(true, onDecided));

    await user.click(screen.getByRole('button', { name: 'Start again: Mail Your order M-10001' }));

    await waitFor(() => expect(toastQueue.first()?.text).toBe('Job started again'));
    expect(requests).toEqual([{ id: 'j1' }]);
    expect(onDecided).toHaveBeenCalledOnce();
  });

  it('are dropped only after a question', async () => {
    const requests = shop.answer(DeleteJobDocument, { deleteJob: { __typename: 'Success', ok: true } });
    const { user } = renderShop(table(true));

    await user.click(screen.getByRole('button', { name: 'Drop: Mail Your order M-10001' }));
    expect(requests).toEqual([]);
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Drop' }));

    await waitFor(() => expect(requests).toEqual([{ id: 'j1' }]));
  });
});
