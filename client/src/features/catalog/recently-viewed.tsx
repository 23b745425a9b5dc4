import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { NoPicture, PictureSkeleton, TextSkeleton } from '~/ui/skeleton';
import { type SeenPieceFragment, useRecentlyViewedQuery } from './recently-viewed.generated';
import styles from './recently-viewed.module.css';
import { Section } from './section';
import { seen } from './seen';

const SHOWN = 8;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;
const TITLE = 'Recently viewed';

/** What was looked at before this product, and this product from now on. */
function useSeenBefore(productId: string): readonly string[] {
  const ids = useSyncExternalStore(seen.subscribe, seen.read, seen.none);
  useEffect(() => seen.add(productId), [productId]);
  return useMemo(() => ids.filter((id) => id !== productId).slice(0, SHOWN), [ids, productId]);
}

/** Whether the element has come within reach of the window. */
function useNear<Element extends HTMLElement>() {
  const place = useRef<Element>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (!place.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: '600px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  return { place, near };
}

/** Recently viewed products of this browser, newest first. Renders nothing without another one. */
export default function RecentlyViewed({ productId }: { productId: string }) {
  const before = useSeenBefore(productId);
  if (before.length === 0) return null;
  return <SeenBefore ids={before} />;
}

function SeenBefore({ ids }: { ids: readonly string[] }) {
  const { place, near } = useNear<HTMLDivElement>();
  return <div ref={place}>{near ? <SeenPieces ids={ids} /> : <Skeletons count={ids.length} />}</div>;
}

function SeenPieces({ ids }: { ids: readonly string[] }) {
  const { data, error } = useRecentlyViewedQuery({
    variables: Object.fromEntries(ids.map((id, at) => [NAMES[at], id])),
  });
  const answers = data && ids.map((id, at) => ({ id, piece: data[NAMES[at] ?? 'a'] }));

  useEffect(() => {
    const gone = answers?.filter(({ piece }) => !piece).map(({ id }) => id);
    if (gone && gone.length > 0) seen.forget(gone);
  });

  if (error) return null;
  if (!answers) return <Skeletons count={ids.length} />;
  const pieces = answers.flatMap(({ piece }) => piece ?? []);
  if (pieces.length === 0) return null;
  return (
    <Section title={TITLE}>
      <ul className={styles.row}>
        {pieces.map((piece) => (
          <li key={piece.id}>
            <Tile piece={piece} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Tile({ piece }: { piece: SeenPieceFragment }) {
  const image = piece.colors[0]?.images[0];
  return (
    <Link to={`/product/${piece.id}`} className={styles.tile}>
      {image ? <Picture image={image} sizes="(min-width: 960px) 12.5vw, 34vw" decorative /> : <NoPicture />}
      <span className={styles.name}>{piece.name}</span>
    </Link>
  );
}

/** As tall as what will come. */
function Skeletons({ count }: { count: number }) {
  return (
    <Section title={TITLE}>
      <div className={styles.row} aria-hidden="true">
        {Array.from({ length: count }, (_, at) => (
          <div key={at} className={styles.tile}>
            <PictureSkeleton />
            <span className={styles.name}>
              <TextSkeleton width="60%" />
            </span>
          </div>
        ))}
      </div>
    </Section>
  );
}
