/** An image's transform in its frame: scale, and the offset of its center from the frame's, in pixels. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

export interface Box {
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const WORTH_IT = 1.05;

/** The picture as it lies whole in its frame: never larger than its own pixels, of which a dense screen shows several in one of the page's. */
export function whole(own: Box, frame: Box, density: number): Box {
  const scale = Math.min(frame.width / own.width, frame.height / own.height, 1 / density);
  return { width: own.width * scale, height: own.height * scale };
}

/** The scale at which each of the picture's own pixels is one of the screen's: larger there is nothing more to see. 1 if that is hardly larger. */
export function largest(own: Box, frame: Box, density: number): number {
  const scale = own.width / (whole(own, frame, density).width * density);
  return scale < WORTH_IT ? 1 : scale;
}

const between = (value: number, reach: number) => Math.max(-reach, Math.min(reach, value));

/** Kept so that the picture covers the frame wherever it is larger, and is centered where it is not. */
export function held({ scale, x, y }: View, picture: Box, frame: Box): View {
  const reachX = Math.max(0, (picture.width * scale - frame.width) / 2);
  const reachY = Math.max(0, (picture.height * scale - frame.height) / 2);
  return { scale, x: between(x, reachX), y: between(y, reachY) };
}

/** Larger, up to a limit, or smaller around a point, given from the frame's middle, which stays where it is. */
export function zoomed(view: View, to: number, at: { x: number; y: number }, limit: number): View {
  const scale = Math.max(1, Math.min(limit, to));
  const growth = scale / view.scale;
  return { scale, x: at.x - (at.x - view.x) * growth, y: at.y - (at.y - view.y) * growth };
}
