import { type ReactNode, Suspense, useDeferredValue, useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { AddToCartButton } from '~/features/cart/add-to-cart-button';
import { GoesWith } from '~/features/catalog/goes-with';
import { useGoesWithQuery } from '~/features/catalog/goes-with.generated';
import { Measured } from '~/features/catalog/measured';
import { ProductBuy } from '~/features/catalog/product-buy';
import { ProductDetails } from '~/features/catalog/product-details';
import { ProductGallery } from '~/features/catalog/product-gallery';
import { SizeGuideLink } from '~/features/catalog/size-guide-link';
import { texts } from '~/features/catalog/texts';
import { type ProductChoice, useProductChoice } from '~/features/catalog/use-product-choice';
import { Promises } from '~/features/help/promises';
import { serverWords } from '~/graphql/settled';
import { track } from '~/session/visit';
import { Breadcrumb } from '~/ui/breadcrumb';
import { Button } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { lazyWhenIdle } from '~/ui/lazy-when-idle';
import { PictureSkeleton, TextSkeleton } from '~/ui/skeleton';
import { useTitle } from '~/ui/use-title';
import { type ProductQuery, useProductQuery } from './product.generated';
import styles from './product.module.css';
import { useArrival } from './use-arrival';

const RecentlyViewed = lazyWhenIdle(
  'features/catalog/recently-viewed',
  () => import('~/features/catalog/recently-viewed'),
);
const ProductNotFound = lazyWhenIdle('routes/product-not-found', () => import('./product-not-found'));

/** /product/{id} */
export default function ProductRoute() {
  const { productId = '' } = useParams();
  const { data, error, refetch } = useProductQuery({ variables: { id: productId } });
  const goesWith = useGoesWithQuery({ variables: { id: productId } });
  const product = data?.product;
  useTitle(product ? product.name : data && texts.notFoundTitle);

  if (product) return <Product key={product.id} product={product} shop={data.shop} goesWith={goesWith} />;
  if (data) return <ProductNotFound />;
  if (error) return <ProductFailure error={error} retry={() => void refetch()} />;
  return <ProductSkeleton />;
}

type ProductData = NonNullable<ProductQuery['product']>;

function crumbs({ category: { department, name, path } }: ProductData) {
  return [
    { to: department.path, label: department.name },
    { to: path, label: name },
  ];
}

interface ProductProps {
  product: ProductData;
  shop: ProductQuery['shop'];
  goesWith: ReturnType<typeof useGoesWithQuery>;
}

function Product({ product, shop, goesWith }: ProductProps) {
  const choice = useProductChoice(product, shop.limits.piecesPerVariant);
  const chosen = useDeferredValue(choice.size);
  const images = product.colors.find(({ id }) => id === choice.color?.id)?.images ?? [];
  const [added, setAdded] = useState<ReactNode>();
  const tell = (variant: ProductChoice['variant'], quantity: number) => {
    if (variant)
      void import('~/features/cart/tell-added').then(({ tellAdded }) =>
        setAdded(tellAdded(product, variant, quantity)),
      );
  };
  useEffect(() => track('viewed', [product.id]), [product.id]);
  useArrival(({ variantId, quantity }) => {
    const variant = product.variants.find(({ id }) => id === variantId);
    if (!variant) return;
    choice.choose(variant.color.id, variant.size);
    choice.setQuantity(quantity);
    tell(variant, quantity);
  });
  return (
    <>
      <div className="page">
        <div className={styles.crumbs}>
          <Breadcrumb steps={crumbs(product)} />
        </div>
        <div className={styles.product}>
          <ProductGallery key={choice.color?.id} name={product.name} images={images} />
          <div className={styles.words}>
            <ProductBuy
              product={product}
              choice={choice}
              sizeGuide={<SizeGuideLink product={product} chosen={choice.size} />}
              addToCart={
                <AddToCartButton
                  product={product}
                  variantId={choice.variant?.id ?? null}
                  quantity={choice.quantity}
                  soldOut={choice.soldOut || product.stock === 0}
                  added={added}
                  onAdded={() => tell(choice.variant, choice.quantity)}
                  onNeedsSize={choice.askForSize}
                />
              }
            />
            <Promises shop={shop} />
            <ProductDetails details={product.details} />
          </div>
        </div>
      </div>
      <Suspense>
        <Measured product={product} chosen={chosen} />
      </Suspense>
      <Suspense>
        <GoesWith query={goesWith} />
      </Suspense>
      <Suspense>
        <RecentlyViewed productId={product.id} />
      </Suspense>
    </>
  );
}

function ProductFailure({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className={`page ${styles.alone}`}>
      <Failure
        as="h1"
        title={serverWords(error) ?? texts.productFailed}
        action={<Button onClick={retry}>Try again</Button>}
      />
    </div>
  );
}

function ProductSkeleton() {
  return (
    <div className="page" aria-busy="true">
      <div className={styles.crumbs}>
        <TextSkeleton width="6rem" />
      </div>
      <div className={styles.product}>
        <PictureSkeleton />
        <div className={styles.words}>
          <TextSkeleton width="60%" />
          <TextSkeleton width="40%" />
          <TextSkeleton width="90%" />
        </div>
      </div>
    </div>
  );
}
