import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useWantedQuantity } from './use-wanted-quantity';

/** A server whose answers come when the test says so. */
function slowServer() {
  const sent: number[] = [];
  const open: ((accepted: boolean) => void)[] = [];
  const send = (quantity: number) => {
    sent.push(quantity);
    return new Promise<boolean>((resolve) => open.push(resolve));
  };
  const reply = (accepted: boolean) => act(async () => open.shift()?.(accepted));
  return { sent, send, reply };
}

describe('a wanted quantity', () => {
  it('is shown before the server has answered', async () => {
    const { send, sent } = slowServer();
    const { result } = renderHook(() => useWantedQuantity(2, send));

    act(() => result.current.want(3));

    expect(result.current).toMatchObject({ quantity: 3, pending: true });
    expect(sent).toEqual([3]);
  });

  it('gives way to what is stored once the server has answered', async () => {
    const { send, reply } = slowServer();
    const { result, rerender } = renderHook(({ stored }) => useWantedQuantity(stored, send), {
      initialProps: { stored: 2 },
    });

    act(() => result.current.want(3));
    await reply(true);
    rerender({ stored: 3 });

    expect(result.current).toMatchObject({ quantity: 3, pending: false });
  });

  it('goes back to what is stored when the server refuses', async () => {
    const { send, reply } = slowServer();
    const { result } = renderHook(() => useWantedQuantity(2, send));

    act(() => result.current.want(9));
    await reply(false);

    expect(result.current).toMatchObject({ quantity: 2, pending: false });
  });

  it('sends one change at a time, and of quick presses only the last', async () => {
    const { send, sent, reply } = slowServer();
    const { result } = renderHook(() => useWantedQuantity(2, send));

    act(() => result.current.want(3));
    act(() => result.current.want(4));
    act(() => result.current.want(5));
    expect(sent).toEqual([3]);
    await reply(true);

    expect(sent).toEqual([3, 5]);
    expect(result.current.quantity).toBe(5);
  });
});
