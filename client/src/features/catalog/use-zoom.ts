import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Box, held, largest, type View, WHOLE, whole, zoomed } from './zoom';

const TAPPED = 2.5;
const TAP_PX = 8;
const SWIPE_PX = 48;

interface Touch {
  x: number;
  y: number;
}

interface Gesture {
  touches: Map<number, Touch>;
  /** From where the first finger came, and how the picture lay then. */
  from: Touch;
  view: View;
  /** How far apart two fingers were. */
  spread: number;
  /** It is or was more than one finger's. */
  pinch: boolean;
}

const apart = ([one, other]: Touch[]) => (one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0);
const middle = (touches: Touch[]) => ({
  x: touches.reduce((sum, { x }) => sum + x, 0) / touches.length,
  y: touches.reduce((sum, { y }) => sum + y, 0) / touches.length,
});

/** How large an element is, now and whenever that changes; nothing before it is on the page. */
function useBox(ref: RefObject<HTMLElement | null>) {
  const [box, setBox] = useState<Box>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => setBox({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return box;
}

/**
 * Tap, pinch, drag and wheel on a picture that lies whole in its frame, up to its own pixels. A swipe across a picture
 * that is not zoomed asks for the next or the one before.
 */
export function useZoom(frame: RefObject<HTMLElement | null>, own: Box, onSwipe: (step: 1 | -1) => void) {
  const [view, setView] = useState(WHOLE);
  const box = useBox(frame);
  const density = window.devicePixelRatio;
  const limit = box.width && box.height ? largest(own, box, density) : 1;
  const gesture = useRef<Gesture | null>(null);

  function settle(next: View) {
    setView(held(next, whole(own, box, density), box));
  }

  function zoomTo(scale: number, at: Touch = { x: 0, y: 0 }) {
    settle(zoomed(view, scale, at, limit));
  }

  /** A point of the window, from the frame's middle. */
  function fromMiddle({ clientX, clientY }: { clientX: number; clientY: number }): Touch {
    const box = frame.current?.getBoundingClientRect() ?? new DOMRect();
    return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 };
  }

  function begin(touches: Map<number, Touch>) {
    const fingers = [...touches.values()];
    const pinch = fingers.length > 1 || (gesture.current?.pinch ?? false);
    gesture.current = { touches, from: middle(fingers), view, spread: apart(fingers), pinch };
  }

  function down(event: PointerEvent) {
    event.currentTarget.setPointerCapture(event.pointerId);
    begin(new Map(gesture.current?.touches).set(event.pointerId, fromMiddle(event)));
  }

  function move(event: PointerEvent) {
    const begun = gesture.current;
    if (!begun?.touches.has(event.pointerId)) return;
    begun.touches.set(event.pointerId, fromMiddle(event));
    const fingers = [...begun.touches.values()];
    const now = middle(fingers);
    const growth = begun.spread ? apart(fingers) / begun.spread : 1;
    const grown = zoomed(begun.view, begun.view.scale * growth, begun.from, limit);
    settle({ scale: grown.scale, x: grown.x + now.x - begun.from.x, y: grown.y + now.y - begun.from.y });
  }

  function up(event: PointerEvent) {
    const begun = gesture.current;
    if (!begun?.touches.delete(event.pointerId)) return;
    if (begun.touches.size > 0) {
      begin(begun.touches);
      return;
    }
    gesture.current = null;
    if (begun.pinch) return;
    const end = fromMiddle(event);
    const [dx, dy] = [end.x - begun.from.x, end.y - begun.from.y];
    if (Math.hypot(dx, dy) < TAP_PX) zoomTo(view.scale > 1 ? 1 : TAPPED, end);
    else if (begun.view.scale === 1 && Math.abs(dx) > SWIPE_PX && Math.abs(dx) > Math.abs(dy)) onSwipe(dx < 0 ? 1 : -1);
  }

  // React listens to the wheel passively, which could not keep the page behind from moving.
  useEffect(() => {
    const element = frame.current;
    const turn = (event: WheelEvent) => {
      event.preventDefault();
      zoomTo(view.scale * Math.exp(-event.deltaY / 400), fromMiddle(event));
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  });

  return {
    view,
    limit,
    zoomTo,
    /** Moves a zoomed picture, in pixels. */
    pan: (x: number, y: number) => settle({ ...view, x: view.x + x, y: view.y + y }),
    rest: () => setView(WHOLE),
    handlers: { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: up },
  };
}
