import type { ProductCardFragment } from './product-card.generated';
import { CardRow, GridCards, ProductGrid } from './product-grid';
import { Section } from './section';

/** More of them are too many for one row. */
const MOST_IN_ROW = 4;

interface BlockShelfProps {
  /** Empty for none. */
  heading: string;
  products: readonly ProductCardFragment[];
}

/** The products of a page that the owner has written. Nothing when there are none. */
export function BlockShelf({ heading, products }: BlockShelfProps) {
  if (products.length === 0) return null;
  const cards =
    products.length > MOST_IN_ROW ? (
      <ProductGrid>
        <GridCards products={products} />
      </ProductGrid>
    ) : (
      <CardRow label={heading || 'Products'} products={products} />
    );
  return heading ? <Section title={heading}>{cards}</Section> : <div className="page">{cards}</div>;
}
