import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import { SIZES } from '~/graphql/catalogue';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { ChevronUpIcon } from '~/ui/icons';
import { isDiscounted, Price } from '~/ui/price';
import { lazyWhenIdle } from '~/ui/lazy-when-idle';
import { SizeTape } from '~/ui/size-tape';
import { Stepper } from '~/ui/stepper';
import { Swatches } from '~/ui/swatches';
import { WithoutScript } from '~/ui/without-script';
import { Heart } from './heart';
import { MailWhenBack } from './mail-when-back';
import styles from './product-buy.module.css';
import type { ProductCardFragment } from './product-card.generated';
import { fewLeftWords, soldOutWords } from './stock';
import type { ProductChoice } from './use-product-choice';

const SystemTape = lazyWhenIdle('features/catalog/system-tape', () => import('./system-tape'));

interface ProductBuyProps {
  product: ProductCardFragment & { description: string };
  choice: ProductChoice;
  /** Add to Cart, once for the page and once for the bar of a phone. */
  addToCart: ReactNode;
  /** The way to the measurements, beside the sizes. */
  sizeGuide?: ReactNode;
}

/** Name, price and the choice of color, size and quantity, with everything that decides it in plain sight. */
export function ProductBuy({ product, choice, addToCart, sizeGuide }: ProductBuyProps) {
  const { color } = choice;
  const tape = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (choice.sizeRequests > 0) tape.current?.querySelector('input')?.focus();
  }, [choice.sizeRequests]);

  return (
    <>
      <div className={styles.head}>
        <div className={styles.title}>
          <h1 className="h1-calm">{product.name}</h1>
          <Heart product={product} colorId={color?.id} />
        </div>
        <p className={styles.subtitle}>{product.subtitle}</p>
        <p className={styles.price}>
          <Price {...product} />
          {isDiscounted(product.price, product.discountedPrice) && (
            <span className={styles.off}>{product.discountPercentage}% OFF</span>
          )}
        </p>
        <p className={styles.description}>{product.description}</p>
      </div>
      {color && (
        <div className={styles.choice}>
          <p className={styles.label}>
            Color <b>{color.name}</b>
          </p>
          <Swatches large label="Color" colors={product.colors} chosen={color.id} onChoose={choice.chooseColor} />
        </div>
      )}
      <div ref={tape}>
        <SizeChoice product={product} choice={choice} sizeGuide={sizeGuide} />
        {color && (
          <MailWhenBack
            key={color.id}
            sizes={choice.sizes}
            size={choice.size}
            piece={`${product.name}, ${color.name}`}
          />
        )}
      </div>
      <Buy choice={choice} addToCart={addToCart} onSize={() => tape.current?.scrollIntoView({ block: 'center' })} />
    </>
  );
}

function SizeChoice({ product, choice, sizeGuide }: Omit<ProductBuyProps, 'addToCart'>) {
  const { sizes, size, variant, chooseSize, sizeRequests } = choice;
  const messageId = useId();
  const Tape = sizes.every((one) => SIZES.includes(one.size)) ? SizeTape : SystemTape;
  const tape = {
    label: 'Size',
    sizes,
    chosen: size,
    onChoose: chooseSize,
    missing: sizeRequests > 0,
    describedBy: messageId,
  };
  const few = size && variant ? fewLeftWords(size, variant.stock) : '';
  return (
    <div className={styles.choice}>
      <div className={styles.sizes}>
        <p className={styles.label}>Size {size && <b>{size}</b>}</p>
        {sizeGuide}
      </div>
      <Suspense fallback={<SizeTape {...tape} />}>
        <Tape {...tape} productId={product.id} />
      </Suspense>
      {sizeRequests > 0 ? (
        // A new note each time, so that a screen reader says it again.
        <ErrorNote key={sizeRequests} id={messageId}>
          Choose a size first
        </ErrorNote>
      ) : (
        <p id={messageId} className={styles.message} role="status">
          {few && <b>{few} </b>}
          {soldOutWords(sizes)}
        </p>
      )}
    </div>
  );
}

function Buy({ choice, addToCart, onSize }: Pick<ProductBuyProps, 'choice' | 'addToCart'> & { onSize: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const [passed, setPassed] = useState(false);

  useEffect(() => {
    if (!place.current) return;
    // What is below the viewport counts as visible, so only what is above the header does not.
    const range = { rootMargin: '-60px 0px 100000px' };
    const observer = new IntersectionObserver(([entry]) => {
      if (entry) setPassed(!entry.isIntersecting);
    }, range);
    observer.observe(place.current);
    return () => observer.disconnect();
  }, []);

  return (
    <>
      <WithoutScript what="Buying" />
      <div ref={place} className={styles.buy}>
        <Stepper tall label="Quantity" value={choice.quantity} max={choice.max} onChange={choice.setQuantity} />
        {addToCart}
      </div>
      {passed && (
        <div className={styles.bar}>
          <Button end={<ChevronUpIcon size={16} />} onClick={onSize}>
            {choice.size ? `Size ${choice.size}` : 'Size'}
          </Button>
          {addToCart}
        </div>
      )}
    </>
  );
}
