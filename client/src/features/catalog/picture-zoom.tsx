import { type KeyboardEvent, useRef } from 'react';
import { ChevronLeftIcon, ChevronRightIcon, CrossIcon, MinusIcon, PlusIcon } from '~/ui/icons';
import { Ring } from '~/ui/ring';
import { useModal } from '~/ui/use-modal';
import styles from './picture-zoom.module.css';
import type { ZoomPictureFragment } from './picture-zoom.generated';
import { useZoom } from './use-zoom';

const STEP = 1.5;
const NUDGE = 80;
const NOTHING = { width: 1, height: 1 };

interface PictureZoomProps {
  name: string;
  images: readonly ZoomPictureFragment[];
  index: number;
  onIndex: (index: number) => void;
  onClose: () => void;
}

/** One picture as large as the window, or larger where it has the pixels: by tap, pinch, wheel, buttons or keys. Esc gives the page back. */
export default function PictureZoom({ name, images, index, onIndex, onClose }: PictureZoomProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const image = images[index];
  const { view, limit, zoomTo, pan, rest, handlers } = useZoom(frame, image ?? NOTHING, go);
  const zoomed = view.scale > 1;
  const zoomable = limit > 1;
  const density = window.devicePixelRatio;

  useModal(dialog);

  function go(step: number) {
    if (!images[index + step]) return;
    rest();
    onIndex(index + step);
  }

  function steer(event: KeyboardEvent) {
    const deeds: Record<string, () => void> = {
      ArrowLeft: () => (zoomed ? pan(NUDGE, 0) : go(-1)),
      ArrowRight: () => (zoomed ? pan(-NUDGE, 0) : go(1)),
      ArrowUp: () => pan(0, NUDGE),
      ArrowDown: () => pan(0, -NUDGE),
      '+': () => zoomTo(view.scale * STEP),
      '=': () => zoomTo(view.scale * STEP),
      '-': () => zoomTo(view.scale / STEP),
      '0': rest,
    };
    const deed = deeds[event.key];
    if (!deed || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    deed();
  }

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys that work wherever the focus is in it.
    <dialog
      ref={dialog}
      className={styles.zoom}
      aria-label={`Pictures of ${name}, enlarged`}
      onClose={onClose}
      onKeyDown={steer}
    >
      <div
        ref={frame}
        className={styles.frame}
        data-zoomed={zoomed || undefined}
        data-zoomable={zoomable || undefined}
        {...handlers}
      >
        <Ring size={26} late />
        {image && (
          <picture key={image.id}>
            <source type="image/avif" srcSet={image.avif} sizes={zoomed ? `${image.width}px` : '100vw'} />
            <img
              src={image.fallback}
              alt={image.alt}
              draggable={false}
              style={{
                maxWidth: image.width / density,
                maxHeight: image.height / density,
                transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
              }}
            />
          </picture>
        )}
      </div>
      <button type="button" className={styles.close} aria-label="Close" onClick={() => dialog.current?.close()}>
        <CrossIcon />
      </button>
      <div className={styles.bar}>
        <p role="status">
          <span className="visually-hidden">Picture </span>
          {index + 1} / {images.length}
          {zoomed && `, ${Math.round(view.scale * 100)} %`}
        </p>
        {zoomable && (
          <>
            <button
              type="button"
              aria-label="Smaller"
              aria-disabled={!zoomed}
              onClick={() => zoomTo(view.scale / STEP)}
            >
              <MinusIcon />
            </button>
            <button
              type="button"
              aria-label="Larger"
              aria-disabled={view.scale >= limit}
              onClick={() => zoomTo(view.scale * STEP)}
            >
              <PlusIcon />
            </button>
          </>
        )}
        <button type="button" aria-label="Previous picture" aria-disabled={index === 0} onClick={() => go(-1)}>
          <ChevronLeftIcon />
        </button>
        <button
          type="button"
          aria-label="Next picture"
          aria-disabled={index === images.length - 1}
          onClick={() => go(1)}
        >
          <ChevronRightIcon />
        </button>
      </div>
    </dialog>
  );
}
