import { describe, expect, it } from 'vitest';
import { held, largest, WHOLE, whole, zoomed } from './zoom';

const frame = { width: 400, height: 800 };
const picture = { width: 400, height: 533 };

describe('a zoomed picture', () => {
  it('grows around the point that was touched', () => {
    const view = zoomed(WHOLE, 2, { x: 100, y: -50 }, 4);

    expect(view).toEqual({ scale: 2, x: -100, y: 50 });
  });

  it('is never smaller than whole, nor larger than its own pixels', () => {
    expect(zoomed(WHOLE, 0.2, { x: 0, y: 0 }, 1.6).scale).toBe(1);
    expect(zoomed(WHOLE, 9, { x: 0, y: 0 }, 1.6).scale).toBe(1.6);
  });

  it('cannot be dragged off its frame', () => {
    expect(held({ scale: 2, x: 900, y: -900 }, picture, frame)).toEqual({ scale: 2, x: 200, y: -133 });
  });

  it('stays in the middle where it is smaller than its frame', () => {
    expect(held({ scale: 1, x: 30, y: 30 }, picture, frame)).toEqual(WHOLE);
  });
});

describe('a picture of 1080 by 1440 pixels', () => {
  const own = { width: 1080, height: 1440 };
  const window = { width: 1440, height: 900 };

  it('lies whole in a window and has more to show there', () => {
    expect(whole(own, window, 1)).toEqual({ width: 675, height: 900 });
    expect(largest(own, window, 1)).toBeCloseTo(1.6);
  });

  it('has half of that to show where two pixels of the screen are one of the page', () => {
    expect(largest(own, { width: 390, height: 844 }, 1)).toBeCloseTo(2.769);
    expect(largest(own, { width: 390, height: 844 }, 2)).toBeCloseTo(1.385);
  });

  it('is not offered a few pixels larger', () => {
    expect(largest(own, { width: 1060, height: 1440 }, 1)).toBe(1);
  });

  it('is not blown up to a window that is larger than it is', () => {
    expect(whole(own, window, 2)).toEqual({ width: 540, height: 720 });
    expect(largest(own, window, 2)).toBe(1);
  });
});
