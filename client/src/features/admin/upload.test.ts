import { http, HttpResponse } from 'msw';
import { expect, it } from 'vitest';
import { shopServer } from '~/test/shop';
import { upload, UploadStopped } from './upload';

const shop = shopServer();
const page = 'text/html';
const goesOn = new AbortController().signal;

function refused(status: number, body: string, headers: Record<string, string> = {}) {
  shop.use(http.post('*/uploads/images', () => new HttpResponse(body, { status, headers })));
  return upload('/uploads/images', new File(['x'], 'shirt.png', { type: 'image/png' }), () => undefined, goesOn);
}

it.each([
  [429, '<h1>Slow down</h1>', { 'Content-Type': page, 'Retry-After': '125' }, 'Please try again in 3 minutes.'],
  [429, '<h1>Slow down</h1>', { 'Content-Type': page }, 'Please try again in a minute.'],
  [413, '<h1>Too large</h1>', { 'Content-Type': page }, 'This file is too large.'],
  [415, '', {}, 'Files of this kind cannot be read.'],
  [413, '{"message": "A picture has at most 10 MB."}', {}, 'A picture has at most 10 MB.'],
])('a refusal with %s says why: %s', async (status, body, headers, words) => {
  await expect(refused(status, body, headers)).rejects.toThrow(words);
});

it('answers the id that a file is kept under', async () => {
  shop.use(http.post('*/uploads/images', () => HttpResponse.json({ id: 'i1' }, { status: 201 })));

  const sent = upload('/uploads/images', new File(['x'], 'shirt.png', { type: 'image/png' }), () => undefined, goesOn);

  await expect(sent).resolves.toBe('i1');
});

it('sends nothing once it was stopped, also before it began', async () => {
  let arrived = 0;
  shop.use(
    http.post('*/uploads/images', () => {
      arrived += 1;
      return HttpResponse.json({ id: 'i1' }, { status: 201 });
    }),
  );

  const sent = upload('/uploads/images', new File(['x'], 'a.png'), () => undefined, AbortSignal.abort());

  await expect(sent).rejects.toBeInstanceOf(UploadStopped);
  expect(arrived).toBe(0);
});
