import { useState } from 'react';
import { Carousel } from '~/ui/carousel';
import { Link } from '~/ui/link';
import { Picture } from '~/ui/picture';
import { NoPicture } from '~/ui/skeleton';
import { isDiscounted, Price } from '~/ui/price';
import { Swatches } from '~/ui/swatches';
import { Heart } from './heart';
import { NewLabel } from './new-label';
import type { ProductCardFragment } from './product-card.generated';
import styles from './product-card.module.css';
import { productLink } from './product-link';
import { texts } from './texts';

interface ProductCardProps {
  product: ProductCardFragment;
  /** Id of the color that it shows until another is chosen; the first without it. */
  shown?: string;
  /** How wide the picture is shown, as in `<img sizes>`. */
  sizes: string;
  /** Its picture is seen before scrolling. */
  eager?: boolean;
}

/** The label on a discounted picture: -20%. Nothing when the discount does not count. */
export function Discount({ product }: { product: ProductCardFragment }) {
  if (!isDiscounted(product.price, product.discountedPrice) || !product.discountPercentage) return null;
  return <p className={styles.discount}>-{product.discountPercentage}%</p>;
}

/** A product in a list: pictures of one color, name, price and cuttings. */
export function ProductCard({ product, shown, sizes, eager }: ProductCardProps) {
  const [chosen, setChosen] = useState<string>();
  const color = product.colors.find(({ id }) => id === (chosen ?? shown)) ?? product.colors[0];
  const to = productLink(product, color?.id);
  const soldOut = product.stock === 0;

  return (
    <article className={styles.card} aria-label={product.name}>
      {color && <CardPictures key={color.id} product={product} color={color} to={to} sizes={sizes} eager={eager} />}
      <div className={styles.labels}>
        <Discount product={product} />
        <NewLabel since={product.createdAt} />
      </div>
      <Heart product={product} colorId={color?.id} onPicture />
      <div className={styles.words}>
        <div className={styles.line}>
          <h3 className={styles.name}>
            <Link to={to}>{product.name}</Link>
          </h3>
          <Price {...product} />
        </div>
        <p className={styles.subtitle}>
          {soldOut && <b>{texts.soldOut}. </b>}
          {product.subtitle}
        </p>
        {color && (
          <Swatches label={`Color of ${product.name}`} colors={product.colors} chosen={color.id} onChoose={setChosen} />
        )}
      </div>
    </article>
  );
}

interface CardPicturesProps extends ProductCardProps {
  color: ProductCardFragment['colors'][number];
  to: string;
}

function CardPictures({ product, color, to, sizes, eager }: CardPicturesProps) {
  const [index, setIndex] = useState(0);
  if (color.images.length === 0) return <NoPicture />;
  return (
    <div className={`${styles.pictures} ${product.stock === 0 ? styles.soldOut : ''}`}>
      <Carousel
        label={`Pictures of ${product.name}`}
        quiet
        index={index}
        onIndex={setIndex}
        slides={color.images.map((image, at) => (
          <Link key={image.id} to={to} tabIndex={-1} draggable={false}>
            <Picture image={image} sizes={sizes} eager={eager && at === 0} />
          </Link>
        ))}
      />
    </div>
  );
}
