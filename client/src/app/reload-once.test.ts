import { http, HttpResponse } from 'msw';
import { expect, test, vi } from 'vitest';
import { shopServer } from '~/test/shop';
import { reloadForMissingChunks } from './reload-once';

const shop = shopServer();
const missing = () => new Event('vite:preloadError', { cancelable: true });
const aMoment = () => new Promise((resolve) => setTimeout(resolve, 50));

test('a chunk that is gone reloads the page once for each build', async () => {
  shop.use(http.get('*/livez', () => new HttpResponse('alive')));
  const reload = vi.fn();
  reloadForMissingChunks('/assets/index-1.js', reload);

  window.dispatchEvent(missing());
  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  window.dispatchEvent(missing());
  await aMoment();

  expect(reload).toHaveBeenCalledOnce();
});

test.each([
  ['does not answer', () => HttpResponse.error()],
  ['is restarting', () => new HttpResponse(null, { status: 503 })],
])('while the server %s the page stays as it is', async (_, answer) => {
  const answerSpy = vi.fn(answer);
  shop.use(http.get('*/livez', answerSpy));
  const reload = vi.fn();
  reloadForMissingChunks('/assets/index-2.js', reload);

  window.dispatchEvent(missing());
  await vi.waitFor(() => expect(answerSpy).toHaveBeenCalled());
  await aMoment();

  expect(reload).not.toHaveBeenCalled();
});

test('a page that is being left for another is not loaded again', async () => {
  const answerSpy = vi.fn(() => new HttpResponse('alive'));
  shop.use(http.get('*/livez', answerSpy));
  const reload = vi.fn();
  window.isLeft = true;
  reloadForMissingChunks('/assets/index-3.js', reload);

  window.dispatchEvent(missing());
  await aMoment();

  expect(reload).not.toHaveBeenCalled();

  window.isLeft = false;
  window.dispatchEvent(missing());

  await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
});
