import { renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useObjectUrls } from './use-object-urls';

const revoked: string[] = [];

beforeEach(() => {
  revoked.length = 0;
  vi.useFakeTimers();
  URL.revokeObjectURL = (url) => void revoked.push(url);
});
afterEach(() => vi.useRealTimers());

test('a picture that is taken away gives its memory back at once, the others when the form is left', () => {
  const { rerender, unmount } = renderHook(({ urls }) => useObjectUrls(urls), {
    initialProps: { urls: ['blob:front', '/images/stored', 'blob:back'] },
  });

  rerender({ urls: ['/images/stored', 'blob:back'] });
  expect(revoked).toEqual(['blob:front']);

  unmount();
  vi.runAllTimers();
  expect(revoked).toEqual(['blob:front', 'blob:back']);
});

test('those of a form that is kept for later stay', () => {
  const { unmount } = renderHook(() => useObjectUrls(['blob:front'], { kept: true }));

  unmount();
  vi.runAllTimers();

  expect(revoked).toEqual([]);
});
