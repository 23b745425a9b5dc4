import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './carousel.module.css';
import { ChevronLeftIcon, ChevronRightIcon } from './icons';

interface CarouselProps {
  /** What it shows: "Pictures of Oxford Shirt". */
  label: string;
  /** Only the first slide is rendered until the user interacts with the carousel. */
  slides: readonly ReactNode[];
  /** Arrows stay away until hovered or focused; on touch they are always there. */
  quiet?: boolean;
  /** In place of the dots. */
  counter?: boolean;
  index: number;
  onIndex: (index: number) => void;
}

interface PlacesProps {
  count: number;
  index: number;
  onGo: (to: number) => void;
}

function Dots({ count, index, onGo }: PlacesProps) {
  return (
    <div className={styles.dots}>
      {Array.from({ length: count }, (_, at) => (
        <button
          // oxlint-disable-next-line react/no-array-index-key -- a dot is its place.
          key={at}
          type="button"
          tabIndex={-1}
          className={styles.dot}
          aria-label={`Picture ${at + 1} of ${count}`}
          aria-current={at === index || undefined}
          onClick={() => onGo(at)}
        />
      ))}
    </div>
  );
}

function Arrows({ count, index, onGo }: PlacesProps) {
  return (
    <div className={styles.arrows}>
      <button type="button" aria-label="Previous picture" aria-disabled={index === 0} onClick={() => onGo(index - 1)}>
        <ChevronLeftIcon size={18} />
      </button>
      <button
        type="button"
        aria-label="Next picture"
        aria-disabled={index === count - 1}
        onClick={() => onGo(index + 1)}
      >
        <ChevronRightIcon size={18} />
      </button>
    </div>
  );
}

/**
 * Slides side by side in the browser's own scroller, so that a swipe works as everywhere else. It never moves by itself.
 * Mount it anew (by key) when the slides become others.
 */
export function Carousel({ label, slides, quiet, counter, index, onIndex }: CarouselProps) {
  const count = slides.length;
  const reel = useRef<HTMLDivElement>(null);
  const [awake, setAwake] = useState(false);
  const goingTo = useRef<number | null>(null);
  const wake = () => setAwake(true);

  function go(to: number) {
    if (to < 0 || to >= count) return;
    wake();
    onIndex(to);
  }

  useEffect(() => {
    const element = reel.current;
    if (!element || Math.round(element.scrollLeft / (element.clientWidth || 1)) === index) return;
    goingTo.current = index;
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    element.scrollTo({ left: index * element.clientWidth, behavior: still ? 'instant' : 'smooth' });
  }, [index]);

  /** While an arrow's or a dot's ride is under way, the slides it passes are not where it goes. */
  function follow({ scrollLeft, clientWidth }: HTMLElement) {
    if (clientWidth === 0) return;
    const place = scrollLeft / clientWidth;
    const near = Math.round(place);
    if (goingTo.current !== null) {
      if (Math.abs(place - goingTo.current) < 0.02) goingTo.current = null;
    } else if (near !== index) onIndex(near);
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- they only detect that the pointer or focus is near.
    <div
      role="group"
      className={`${styles.carousel} ${quiet ? styles.quiet : ''}`}
      aria-roledescription="carousel"
      aria-label={label}
      onPointerEnter={wake}
      onPointerDown={wake}
      onFocus={wake}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- scrolling is the browser's; this only follows it. */}
      <div
        ref={reel}
        className={styles.reel}
        tabIndex={-1}
        onScroll={({ currentTarget }) => follow(currentTarget)}
        onPointerDown={() => {
          goingTo.current = null;
        }}
      >
        {(awake || index > 0 ? slides : slides.slice(0, 1)).map((slide, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- a slide is its place.
          <div key={at} inert={at !== index}>
            {slide}
          </div>
        ))}
      </div>
      {count > 1 && !counter && <Dots count={count} index={index} onGo={go} />}
      {count > 1 && <Arrows count={count} index={index} onGo={go} />}
    </div>
  );
}
