import { shopName } from '~/ui/shop-name';
import type { ProductQuery } from '~/routes/product.generated';

type Product = NonNullable<ProductQuery['product']>;
type Color = Product['colors'][number];
type Shop = ProductQuery['shop'];
type Zone = Shop['deliveryZones'][number];

/** One thing said in schema.org's words. */
export type Linked = Record<string, unknown>;

const CURRENCY = 'USD';

export const absolute = (url: string, origin: string) => (url.startsWith('/') ? origin + url : url);

function colorPictures({ images }: Color, origin: string): string[] {
  return images.map(({ fallback }) => absolute(fallback, origin));
}

export function pictures(product: Product, origin: string): string[] {
  return product.colors.flatMap((color) => colorPictures(color, origin));
}

/** Return labels cost nothing: see the page about returns. */
function returnPolicy({ returnDays }: Shop, origin: string): Linked {
  const policy = {
    '@type': 'MerchantReturnPolicy',
    '@id': `${origin}/#returns`,
    merchantReturnLink: `${origin}/help/returns`,
  };
  if (returnDays === 0) return { ...policy, returnPolicyCategory: 'https://schema.org/MerchantReturnNotPermitted' };
  return {
    ...policy,
    returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
    merchantReturnDays: returnDays,
    returnMethod: 'https://schema.org/ReturnByMail',
    returnFees: 'https://schema.org/FreeReturn',
  };
}

/** What one piece costs to send. By weight, which is not public, it is the most that it can be. */
function shippingRate({ freeFrom, rates }: Zone, price: string): Linked {
  const amount = { '@type': 'MonetaryAmount', currency: CURRENCY };
  if (freeFrom !== null && Number(price) >= Number(freeFrom)) return { ...amount, value: '0.00' };
  const reached = rates.filter(({ fromAmount }) => fromAmount === null || Number(fromAmount) <= Number(price));
  const prices = reached.map((rate) => rate.price);
  if (reached.length > 1 && reached.every(({ fromGrams }) => fromGrams !== null)) {
    return { ...amount, maxValue: prices.toSorted((a, b) => Number(a) - Number(b)).at(-1) };
  }
  return { ...amount, value: prices.at(-1) };
}

/** Whether its cheapest rate begins at or below the price. */
const sendsFor = ({ rates }: Zone, price: string) =>
  rates.some(({ fromAmount }) => fromAmount === null || Number(fromAmount) <= Number(price));

/** Working days from the order on, in one piece: the shop does not say when a parcel leaves. */
function deliveryTime({ minDays, maxDays }: Zone): Linked | undefined {
  if (minDays === null && maxDays === null) return undefined;
  const days = { minValue: minDays ?? undefined, maxValue: maxDays ?? undefined, unitCode: 'DAY' };
  return { '@type': 'ShippingDeliveryTime', transitTime: { '@type': 'QuantitativeValue', ...days } };
}

/** One for each zone that names its countries and sends a parcel of this price. */
function shippingDetails(product: Product, { deliveryZones }: Shop, origin: string): Linked[] {
  const price = product.chargedPrice;
  return deliveryZones
    .filter((zone) => zone.countries.length > 0 && sendsFor(zone, price))
    .map((zone) => ({
      '@type': 'OfferShippingDetails',
      '@id': `${origin}/#delivery-${zone.id}`,
      shippingRate: shippingRate(zone, price),
      shippingDestination: zone.countries.map(({ code }) => ({ '@type': 'DefinedRegion', addressCountry: code })),
      deliveryTime: deliveryTime(zone),
    }));
}

/** A node that stands whole in the first place where it is said, and is referred to from the others. */
const referTo = (node: Linked): Linked => ({ '@id': node['@id'] });

/** A product with a `Product` for each variant, as Google reads products that come in sizes and colors. */
export function productGroup(product: Product, shop: Shop, origin: string): Linked {
  const url = `${origin}/product/${product.id}`;
  const colors = new Map(product.colors.map((color) => [color.id, color]));
  const returns = returnPolicy(shop, origin);
  const shipping = shippingDetails(product, shop, origin);
  return {
    '@type': 'ProductGroup',
    productGroupID: product.id,
    name: product.name,
    description: product.description,
    url,
    brand: { '@type': 'Brand', name: shopName() },
    category: `${product.category.department.name} > ${product.category.name}`,
    image: pictures(product, origin),
    variesBy: ['https://schema.org/color', 'https://schema.org/size'],
    hasVariant: product.variants.map(({ id, sku, size, stock, color: { id: colorId } }, place) => {
      const color = colors.get(colorId);
      return {
        '@type': 'Product',
        sku,
        name: `${product.name}, ${color?.name}, ${size}`,
        color: color?.name,
        size,
        image: color && colorPictures(color, origin),
        offers: {
          '@type': 'Offer',
          url: `${url}?variant=${id}`,
          price: product.chargedPrice,
          priceCurrency: CURRENCY,
          availability: `https://schema.org/${stock > 0 ? 'InStock' : 'OutOfStock'}`,
          itemCondition: 'https://schema.org/NewCondition',
          hasMerchantReturnPolicy: place === 0 ? returns : referTo(returns),
          shippingDetails: place === 0 ? shipping : shipping.map(referTo),
        },
      };
    }),
  };
}
