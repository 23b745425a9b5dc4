import { describe, expect, it } from 'vitest';
import { held, WHOLE, zoomed } from './zoom';

const frame = { width: 400, height: 800 };
const picture = { width: 400, height: 533 };

describe('a zoomed picture', () => {
  it('grows around the point that was touched', () => {
    const view = zoomed(WHOLE, 2, { x: 100, y: -50 });

    expect(view).toEqual({ scale: 2, x: -100, y: 50 });
  });

  it('is never smaller than whole, nor larger than four times', () => {
    expect(zoomed(WHOLE, 0.2, { x: 0, y: 0 }).scale).toBe(1);
    expect(zoomed(WHOLE, 9, { x: 0, y: 0 }).scale).toBe(4);
  });

  it('cannot be dragged off its frame', () => {
    expect(held({ scale: 2, x: 900, y: -900 }, picture, frame)).toEqual({ scale: 2, x: 200, y: -133 });
  });

  it('stays in the middle where it is smaller than its frame', () => {
    expect(held({ scale: 1, x: 30, y: 30 }, picture, frame)).toEqual(WHOLE);
  });
});
