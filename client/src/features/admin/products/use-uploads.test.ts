import { act, renderHook, waitFor } from '@testing-library/react';
import { http, HttpResponse } from 'msw';
import { expect, it, vi } from 'vitest';
import { shopServer } from '~/test/shop';
import { useUploads } from './use-uploads';

const shop = shopServer();
const picture = (key: string) => ({ key, file: new File([key], `${key}.png`, { type: 'image/png' }) });

/** Takes pictures: `answer` lets the shop answer the one that it has, `answerAll` all from then on. */
function takePictures() {
  const arrived: string[] = [];
  const answers: (() => void)[] = [];
  let isOpen = false;
  shop.use(
    http.post('/uploads/images/signed', () => new HttpResponse(null, { status: 204 })),
    http.post('/uploads/images', async ({ request }) => {
      const name = await request.text();
      arrived.push(name);
      if (!isOpen) await new Promise<void>((resolve) => answers.push(resolve));
      return HttpResponse.json({ id: `id-${name}` }, { status: 201 });
    }),
  );
  const answer = () => answers.shift()?.();
  return {
    arrived,
    answer,
    answerAll() {
      isOpen = true;
      answer();
    },
  };
}

const open = (waiting: ReturnType<typeof picture>[] = []) => {
  const onUploaded = vi.fn();
  return { onUploaded, ...renderHook(() => useUploads({ waiting, onUploaded, onRefused: vi.fn() })) };
};

it('sends pictures one after the other, those first that were waiting when the form opened', async () => {
  const { arrived, answer } = takePictures();
  const { result, onUploaded } = open([picture('kept')]);
  act(() => result.current.add([picture('new')]));
  await waitFor(() => expect(arrived).toEqual(['kept']));

  answer();
  await waitFor(() => expect(arrived).toEqual(['kept', 'new']));
  answer();
  await act(() => result.current.finished());

  expect(onUploaded.mock.calls).toEqual([
    ['kept', 'id-kept'],
    ['new', 'id-new'],
  ]);
});

it('sends nothing more once its form was left', async () => {
  const { arrived, answerAll } = takePictures();
  const { result, unmount, onUploaded } = open([picture('first'), picture('second')]);
  await waitFor(() => expect(arrived).toEqual(['first']));
  const { finished } = result.current;

  unmount();
  answerAll();
  await finished();

  expect(arrived).toEqual(['first']);
  expect(onUploaded).not.toHaveBeenCalled();
});
