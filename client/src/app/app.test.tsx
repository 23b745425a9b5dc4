import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { makeClient } from './apollo';
import { App } from './app';

test('a page whose very frame breaks says so and can be loaded again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  vi.spyOn(globalThis, 'dispatchEvent').mockImplementation(() => {
    throw new Error('planted');
  });

  render(<App client={makeClient('http://shop.test/graphql')} />);

  expect(await screen.findByRole('button', { name: 'Load the page again' })).toBeVisible();
  expect(screen.queryByRole('banner')).toBeNull();
});
