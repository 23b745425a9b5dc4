import type { ReactNode } from 'react';
import type { ProductCardFragment } from './product-card.generated';
import { CardRow, RowSkeletons } from './product-grid';
import { Section } from './section';

interface ShelfProps {
  title: string;
  sale?: boolean;
  links: readonly { label: string; to: string }[];
  products: readonly ProductCardFragment[] | undefined;
  /** Rendered instead of the products when they could not be loaded. */
  failure: ReactNode;
}

/** A few pieces in a row. Nothing when there are none. */
export function Shelf({ title, sale, links, products, failure }: ShelfProps) {
  if (products?.length === 0) return null;
  return (
    <Section title={title} sale={sale} links={links}>
      {products ? <CardRow label={title} products={products} /> : failure || <RowSkeletons count={4} />}
    </Section>
  );
}
