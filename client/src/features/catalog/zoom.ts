/** An image's transform in its frame: scale, and the offset of its center from the frame's, in pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

interface Box {
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const LARGEST = 4;

const between = (value: number, reach: number) => Math.max(-reach, Math.min(reach, value));

/** Kept so that the picture covers the frame wherever it is larger, and is centered where it is not. */
export function held({ scale, x, y }: View, picture: Box, frame: Box): View {
  const reachX = Math.max(0, (picture.width * scale - frame.width) / 2);
  const reachY = Math.max(0, (picture.height * scale - frame.height) / 2);
  return { scale, x: between(x, reachX), y: between(y, reachY) };
}

/** Larger or smaller around a point, given from the frame's middle, which stays where it is. */
export function zoomed(view: View, to: number, at: { x: number; y: number }): View {
  const scale = Math.max(1, Math.min(LARGEST, to));
  const growth = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * growth, y: at.y - (at.y - view.y) * growth };
}
