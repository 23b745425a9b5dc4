import { useCallback, useState } from 'react';
import styles from './picture.module.css';
import { Ring } from './ring';

export interface PictureImage {
  alt: string;
  /** `srcset` of the AVIF files. */
  avif: string;
  /** For a browser without AVIF. */
  fallback: string;
}

interface PictureProps {
  image: PictureImage;
  /** How wide it is shown, as in `<img sizes>`. */
  sizes: string;
  /** Loaded at once and first: for what is seen before scrolling. */
  eager?: boolean;
  /** As tall as its place instead of 3:4. */
  free?: boolean;
  /** Says nothing to a screen reader, because words beside it do. */
  decorative?: boolean;
  /** Called once the picture, or the news that there is none, is there. */
  onSettled?: () => void;
}

/** A picture, 3:4, in its smallest fitting file. A skeleton stands in until it comes, with a ring after 300 ms. */
export function Picture({ image, sizes, eager, free, decorative, onSettled }: PictureProps) {
  const [settledFor, setSettledFor] = useState<string>();
  const settled = settledFor === image.fallback;
  const settle = useCallback(() => {
    setSettledFor(image.fallback);
    onSettled?.();
  }, [image.fallback, onSettled]);
  const whenThere = useCallback(
    (img: HTMLImageElement | null) => {
      if (img?.complete && img.naturalWidth > 0) settle();
    },
    [settle],
  );

  return (
    <span className={`${styles.picture} ${free ? styles.free : ''}`}>
      <picture key={image.fallback}>
        <source type="image/avif" srcSet={image.avif} sizes={sizes} />
        <img
          ref={whenThere}
          src={image.fallback}
          alt={decorative ? '' : image.alt}
          width={900}
          height={1200}
          loading={eager ? 'eager' : 'lazy'}
          fetchPriority={eager ? 'high' : undefined}
          decoding="async"
          onLoad={settle}
          onError={settle}
        />
      </picture>
      {!settled && (
        <span className={styles.waiting}>
          <Ring size={26} late />
        </span>
      )}
    </span>
  );
}
