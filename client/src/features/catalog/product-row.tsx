import { useState } from 'react';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { NoPicture } from '~/ui/skeleton';
import { isDiscounted, Price } from '~/ui/price';
import { Swatches } from '~/ui/swatches';
import { Heart } from './heart';
import type { ProductCardFragment } from './product-card.generated';
import type { ProductRowFragment } from './product-list.generated';
import styles from './product-row.module.css';
import { productLink } from './product-link';
import { fewLeftWords, sizesInColor } from './stock';
import { texts } from './texts';

type RowProduct = ProductCardFragment & Partial<Pick<ProductRowFragment, 'sizes' | 'variants'>>;

/** A product in one line of a list: what a shopper compares, side by side. */
function ProductRow({ product, shown }: { product: RowProduct; shown?: string }) {
  const [chosen, setChosen] = useState<string>();
  const color = product.colors.find(({ id }) => id === (chosen ?? shown)) ?? product.colors[0];
  const image = color?.images[0];
  const to = productLink(product, color?.id);
  const soldOut = product.stock === 0;
  const sizes = sizesInColor(product.sizes ?? [], product.variants ?? [], color?.id ?? '');
  const few = sizes.map(({ size, variant }) => fewLeftWords(size, variant?.stock ?? 0)).find(Boolean);

  return (
    <li className={styles.row}>
      <Link to={to} tabIndex={-1} className={`${styles.picture} ${soldOut ? styles.soldOut : ''}`}>
        {image ? <Picture image={image} sizes="132px" /> : <NoPicture />}
      </Link>
      <div>
        <h3 className={styles.name}>
          <Link to={to}>{product.name}</Link>
        </h3>
        <p className={styles.subtitle}>{product.subtitle}</p>
      </div>
      <div>
        {color && (
          <Swatches label={`Color of ${product.name}`} colors={product.colors} chosen={color.id} onChoose={setChosen} />
        )}
        <p className={styles.colorName}>{color?.name}</p>
      </div>
      <div>
        <p className={styles.sizes}>
          {sizes.map(({ size, variant, soldOut: gone }) =>
            gone || !variant ? (
              <s key={size}>
                {size}
                <span className="visually-hidden"> sold out</span>
              </s>
            ) : (
              <Link
                key={size}
                to={`/product/${product.id}?variant=${variant.id}`}
                aria-label={`${product.name} in ${size}`}
              >
                {size}
              </Link>
            ),
          )}
        </p>
        <p className={styles.note}>{soldOut ? texts.soldOut : (few ?? 'In stock')}</p>
      </div>
      <div className={styles.price}>
        <Price {...product} />
        {isDiscounted(product.price, product.discountedPrice) && (
          <span className={styles.off}>-{product.discountPercentage}%</span>
        )}
      </div>
      <div className={styles.heart}>
        <Heart product={product} colorId={color?.id} />
      </div>
    </li>
  );
}

interface ProductRowsProps {
  products: readonly RowProduct[];
  /** Ids of the colors that they show at first. */
  shown: readonly (string | undefined)[];
}

export default function ProductRows({ products, shown }: ProductRowsProps) {
  return products.map((product, at) => <ProductRow key={product.id} product={product} shown={shown[at]} />);
}
