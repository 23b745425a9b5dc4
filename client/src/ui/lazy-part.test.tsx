import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { lazyPart } from './lazy-part';

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

const part = (text: string) => ({ default: () => <p>{text}</p> });

test('a part whose chunk cannot be loaded says so, leaves the page standing and comes at another try', async () => {
  const load = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue(part('the guide'));
  const Guide = lazyPart(load);
  render(
    <>
      <h1>Oxford Shirt</h1>
      <Guide />
    </>,
  );

  expect(await screen.findByRole('alert')).toHaveTextContent('This part of the page could not be loaded. Try again');
  expect(screen.getByRole('heading')).toHaveTextContent('Oxford Shirt');
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));

  expect(await screen.findByText('the guide')).toBeInTheDocument();
  expect(load).toHaveBeenCalledTimes(2);
});

test('a part that breaks while it renders takes nothing else with it', async () => {
  const Broken = lazyPart(() =>
    Promise.resolve({
      default: (): never => {
        throw new RangeError('broken');
      },
    }),
  );
  render(
    <>
      <p>elsewhere</p>
      <Broken />
    </>,
  );

  expect(await screen.findByRole('alert')).toBeInTheDocument();
  expect(screen.getByText('elsewhere')).toBeInTheDocument();
});

test('what is no loss to the page fails without a word', async () => {
  const Quiet = lazyPart<object>(() => Promise.reject<never>(new Error('gone')), { failed: () => <i>0</i> });
  render(<Quiet />);

  expect(await screen.findByText('0')).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});
