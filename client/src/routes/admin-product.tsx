import { useParams } from 'react-router';
import { type PictureDraft, type ProductDraft, sumOf } from '~/features/admin/products/product-draft';
import { EditProduct } from '~/features/admin/products/edit-product';
import type { EditableProductFragment } from '~/features/admin/products/product-form.generated';
import { texts } from '~/features/admin/products/texts';
import { Panel, PanelFailure } from '~/features/admin/panel';
import { ProductCard } from '~/features/catalog/product-card';
import type { ProductCardFragment } from '~/features/catalog/product-card.generated';
import { serverWords, toResult } from '~/graphql/settled';
import { parseAmount, parseCents } from '~/ui/amount';
import { parseMomentIn } from '~/ui/moment';
import { useTimeZone } from '~/ui/time-zone';
import type { AdminViewer } from './admin-viewer';
import { type AdminProductQuery, useAdminProductQuery } from './admin-product.generated';

type Product = NonNullable<NonNullable<AdminProductQuery['admin']>['product']>;
type Card = ProductCardFragment;

const cents = (text: string) => parseCents(text) ?? 0;

/** The discount that would count now, its window read by the clock of a time zone. */
function discountOf(
  { price, discountedPrice, discountStartsAt, discountEndsAt }: ProductDraft,
  timeZone: string,
): Pick<Card, 'discountedPrice' | 'discountPercentage'> {
  const [full, off, now] = [cents(price), cents(discountedPrice), Date.now()];
  const [start, end] = [discountStartsAt, discountEndsAt].map((typed) => parseMomentIn(timeZone, typed).value);
  const runs = (!start || Date.parse(start) <= now) && (!end || Date.parse(end) > now);
  if (!runs || off <= 0 || off >= full) return { discountedPrice: null, discountPercentage: null };
  return {
    discountedPrice: parseAmount(discountedPrice).value,
    discountPercentage: Math.round(((full - off) * 100) / full),
  };
}

function imagesOf(
  product: EditableProductFragment,
  pictures: readonly PictureDraft[],
): Card['colors'][number]['images'] {
  return pictures.map(({ key, imageId, alt, src }) => {
    const stored = product.pictures.find(({ image }) => image.id === imageId)?.image;
    return stored ? { ...stored, alt } : { __typename: 'Image', id: key, alt, avif: src, fallback: src };
  });
}

/** The product as the form has it now, for the card that shoppers would see. */
function cardOf(product: Product, draft: ProductDraft, timeZone: string): Card {
  const everyColor = draft.pictures.filter(({ colorKey }) => colorKey === '');
  return {
    ...product.product,
    name: draft.name,
    title: draft.title || draft.name,
    subtitle: draft.subtitle,
    price: (cents(draft.price) > 0 && parseAmount(draft.price).value) || product.price,
    ...discountOf(draft, timeZone),
    stock: sumOf(draft),
    colors: draft.colors.map(({ key, name, hex }) => {
      const own = draft.pictures.filter(({ colorKey }) => colorKey === key);
      return { id: key, name, hex, images: imagesOf(product, [...own, ...everyColor]) };
    }),
  };
}

function CardPreview({ product, draft }: { product: Product; draft: ProductDraft }) {
  return <ProductCard product={cardOf(product, draft, useTimeZone())} sizes="17rem" />;
}

/** One product, all of it, to be edited. */
export default function ProductScreen({ viewer }: { viewer: AdminViewer }) {
  const { productId = '' } = useParams();
  const { data, error, refetch } = useAdminProductQuery({ variables: { id: productId }, fetchPolicy: 'network-only' });
  const product = data?.admin?.product;

  if (data && !product) return <PanelFailure>{texts.noSuchProduct}</PanelFailure>;
  if (!data || !product) {
    return (
      <Panel
        title="Product"
        waiting="Fetching the product"
        failed={error ? (serverWords(error) ?? texts.productFailed) : false}
      >
        {null}
      </Panel>
    );
  }
  return (
    <EditProduct
      key={product.id}
      product={product}
      options={data}
      allowed={viewer.isPrimaryAdmin}
      refetch={async () => (await toResult(refetch())).data?.admin?.product ?? undefined}
      Preview={CardPreview}
    />
  );
}
