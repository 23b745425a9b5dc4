import type { ReactNode } from 'react';
import { PictureSkeleton, TextSkeleton } from '~/ui/skeleton';
import { ProductCard } from './product-card';
import type { ProductCardFragment } from './product-card.generated';
import styles from './product-grid.module.css';

const IN_GRID = '(min-width: 1280px) 25vw, (min-width: 960px) 33vw, (min-width: 630px) 50vw, 100vw';
const IN_ROW = '(min-width: 960px) 25vw, (min-width: 630px) 42vw, 70vw';

/** One column below 630 px, two from there, three from 960, four from 1280; in one column from edge to edge. */
export function ProductGrid({ children }: { children: ReactNode }) {
  return <div className={`${styles.grid} ${styles.edgeToEdge}`}>{children}</div>;
}

interface GridCardsProps {
  products: readonly ProductCardFragment[];
  /** The first so many are loaded ahead of all others. */
  eager?: number;
  /** Ids of the colors that they show at first; without it each shows its first. */
  shown?: readonly (string | undefined)[];
}

/** The cards of a grid. */
export function GridCards({ products, eager = 0, shown }: GridCardsProps) {
  return products.map((product, at) => (
    <ProductCard key={product.id} product={product} shown={shown?.[at]} sizes={IN_GRID} eager={at < eager} />
  ));
}

/** A few cards in one row, which scrolls sideways where it does not fit. */
export function CardRow({ products, label }: { products: readonly ProductCardFragment[]; label: string }) {
  return (
    <ul className={styles.row} aria-label={label}>
      {products.map((product) => (
        <li key={product.id}>
          <ProductCard product={product} sizes={IN_ROW} />
        </li>
      ))}
    </ul>
  );
}

/** Stand where cards will be, in their final size. */
export function CardSkeletons({ count }: { count: number }) {
  return Array.from({ length: count }, (_, at) => (
    <div key={at} className={styles.skeleton} aria-hidden="true">
      <PictureSkeleton />
      <div className={styles.skeletonWords}>
        <TextSkeleton width="55%" />
        <TextSkeleton width="35%" />
      </div>
    </div>
  ));
}

export function RowSkeletons({ count }: { count: number }) {
  return (
    <div className={styles.row} aria-hidden="true">
      <CardSkeletons count={count} />
    </div>
  );
}
