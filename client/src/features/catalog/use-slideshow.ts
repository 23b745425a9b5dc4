import { type RefObject, useEffect, useRef, useState } from 'react';
import { useMedia } from '~/ui/use-media';

const DELAY_MS = 3000;
const TRANSITION_MS = 2000;
const WHEEL_REST_MS = 700;

interface Slideshow {
  index: number;
  /** It moves on by itself now: not paused, hovered, focused or unwanted. */
  playing: boolean;
  paused: boolean;
  /** How long the current slide has to arrive before its 3 seconds begin. */
  arrival: number;
  go: (index: number) => void;
  setPaused: (paused: boolean) => void;
  /** The pointer or focus is on it. */
  setHeld: (held: boolean) => void;
}

/** Slides that move on after 3 seconds at rest, and over 2 seconds; from the last one back to the first. */
export function useSlideshow(count: number): Slideshow {
  const still = useMedia('(prefers-reduced-motion: reduce)');
  const [index, setIndex] = useState(0);
  const [arrival, setArrival] = useState(0);
  const [paused, setPaused] = useState(false);
  const [held, setHeldState] = useState(false);
  const playing = !still && !paused && !held;

  useEffect(() => {
    if (!playing) return;
    const timer = setTimeout(() => {
      setIndex((index + 1) % count);
      setArrival(TRANSITION_MS);
    }, arrival + DELAY_MS);
    return () => clearTimeout(timer);
  }, [playing, index, count, arrival]);

  return {
    index,
    playing,
    paused: paused || still,
    arrival,
    setPaused,
    go: (to) => {
      setIndex(to);
      setArrival(TRANSITION_MS);
    },
    setHeld: (next) => {
      setHeldState(next);
      if (!next) setArrival(0);
    },
  };
}

/** Turns the wheel's ticks into slides until the last one is shown; from there the page scrolls on. */
export function useWheel(place: RefObject<HTMLElement | null>, index: number, count: number, go: (to: number) => void) {
  const restUntil = useRef(0);

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const turn = (event: WheelEvent) => {
      if (event.deltaY <= 0 || event.ctrlKey || index >= count - 1) return;
      event.preventDefault();
      if (event.timeStamp < restUntil.current) return;
      restUntil.current = event.timeStamp + WHEEL_REST_MS;
      go(index + 1);
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [place, index, count, go]);
}
