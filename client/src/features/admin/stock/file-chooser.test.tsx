import { screen, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it, vi } from 'vitest';
import { renderShop, shopServer } from '~/test/shop';
import { FileChooser } from './file-chooser';

const shop = shopServer();

it('sends a file no further once its screen was left, and leads nowhere', async () => {
  const arrived: AbortSignal[] = [];
  let answer: (() => void) | undefined;
  shop.use(
    http.post('/uploads/products', async ({ request }) => {
      arrived.push(request.signal);
      await new Promise<void>((resolve) => (answer = resolve));
      return HttpResponse.json({ id: 'i1' }, { status: 201 });
    }),
  );
  const onSent = vi.fn();
  const { user, unmount } = renderShop(<FileChooser onSent={onSent} />);
  await user.upload(screen.getByLabelText('CSV file'), new File(['name'], 'autumn.csv', { type: 'text/csv' }));
  await waitFor(() => expect(arrived).toHaveLength(1));

  unmount();

  await waitFor(() => expect(arrived[0]?.aborted).toBe(true));
  answer?.();
  expect(onSent).not.toHaveBeenCalled();
});
