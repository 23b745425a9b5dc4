import { useRef, useState } from 'react';
import { Carousel } from '~/ui/carousel';
import { ZoomIcon } from '~/ui/icons';
import { lazyPart } from '~/ui/lazy-part';
import { Picture } from '~/ui/picture';
import { NoPicture } from '~/ui/skeleton';
import type { ZoomPictureFragment } from './picture-zoom.generated';
import styles from './product-gallery.module.css';

const PictureZoom = lazyPart(() => import('./picture-zoom'));

interface ProductGalleryProps {
  name: string;
  images: readonly ZoomPictureFragment[];
}

/** The pictures of one color: large, with their small versions beside them on a wide screen. Mount it anew for another color. */
export function ProductGallery({ name, images }: ProductGalleryProps) {
  const [index, setIndex] = useState(0);
  const [zooming, setZooming] = useState(false);
  const stage = useRef<HTMLDivElement>(null);

  /** The picture that was enlarged may have slid away; the one that is shown takes the focus. */
  function stopZooming() {
    setZooming(false);
    stage.current?.querySelectorAll('button')[index]?.focus();
  }

  if (images.length === 0) return <NoPicture />;
  return (
    <div className={styles.gallery}>
      <div ref={stage} className={styles.stage}>
        <Carousel
          label={`Pictures of ${name}`}
          counter
          index={index}
          onIndex={setIndex}
          slides={images.map((image, at) => (
            <button
              key={image.id}
              type="button"
              className={styles.enlarge}
              aria-haspopup="dialog"
              aria-label={`Enlarge: ${image.alt}`}
              onClick={() => setZooming(true)}
            >
              <Picture image={image} sizes="(min-width: 960px) 52vw, (min-width: 720px) 48vw, 99vw" eager={at === 0} />
              <ZoomIcon className={styles.glass} />
            </button>
          ))}
        />
        {images.length > 1 && (
          <p className={styles.counter}>
            <span className="visually-hidden">Picture </span>
            {index + 1} / {images.length}
          </p>
        )}
      </div>
      <div className={styles.thumbs}>
        {images.map((image, at) => (
          <button
            key={image.id}
            type="button"
            className={styles.thumb}
            aria-label={`Show picture ${at + 1}: ${image.alt}`}
            aria-current={at === index || undefined}
            onClick={() => setIndex(at)}
          >
            <Picture image={image} sizes="84px" decorative />
          </button>
        ))}
      </div>
      {zooming && <PictureZoom {...{ name, images, index }} onIndex={setIndex} onClose={stopZooming} />}
    </div>
  );
}
