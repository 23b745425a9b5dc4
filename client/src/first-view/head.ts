import { findCategory } from '~/features/catalog/categories';
import { categoryPath, genderNames, kindNames } from '~/graphql/catalogue';
import type { ProductQuery } from '~/routes/product.generated';
import { shop } from '~routes';
import type { Answer } from './injected';

type Product = NonNullable<ProductQuery['product']>;

interface Place {
  pathname: string;
  search: string;
}

/** One thing said in schema.org's words. */
type Linked = Record<string, unknown>;

const ABOUT = 'Shirts, jeans and trousers for women and men. Few of them, made well, and kept in stock.';

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const short = (text: string) => (text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s+\S*$/, '')}...`);

const absolute = (url: string, origin: string) => (url.startsWith('/') ? origin + url : url);

/** `null` when the product does not exist, `undefined` when none was requested. */
function productOf(answers: readonly Answer[]): Product | null | undefined {
  return (answers.find(({ operation }) => operation === 'Product')?.data as ProductQuery | undefined)?.product;
}

function breadcrumbs(origin: string, steps: readonly { name: string; path: string }[]): Linked {
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map(({ name, path }, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name,
      item: origin + path,
    })),
  };
}

function offers(product: Product, origin: string): Linked[] {
  const colors = new Map(product.colors.map(({ id, name }) => [id, name]));
  return product.variants.map(({ id, size, stock, color }) => ({
    '@type': 'Offer',
    name: `${product.name}, ${colors.get(color.id)}, ${size}`,
    sku: id,
    url: `${origin}/product/${product.id}?variant=${id}`,
    price: product.chargedPrice,
    priceCurrency: 'USD',
    availability: `https://schema.org/${stock > 0 ? 'InStock' : 'OutOfStock'}`,
    itemCondition: 'https://schema.org/NewCondition',
  }));
}

function pictures(product: Product, origin: string): string[] {
  return product.colors.flatMap(({ images }) => images.map(({ fallback }) => absolute(fallback, origin)));
}

function linkedProduct(product: Product, origin: string): Linked[] {
  return [
    {
      '@type': 'Product',
      name: product.name,
      description: product.description,
      image: pictures(product, origin),
      brand: { '@type': 'Brand', name: 'Minimal' },
      category: `${genderNames[product.gender]} > ${kindNames[product.subcategory]}`,
      offers: offers(product, origin),
    },
    breadcrumbs(origin, [
      { name: 'Home', path: '/' },
      { name: genderNames[product.gender], path: categoryPath(product.gender) },
      { name: kindNames[product.subcategory], path: categoryPath(product.gender, product.subcategory) },
      { name: product.name, path: `/product/${product.id}` },
    ]),
  ];
}

interface Description {
  status: number;
  title: string;
  about: string;
  /** Search engines may show it. */
  indexed: boolean;
  kind: 'website' | 'product';
  image?: string | undefined;
  linked: Linked[];
}

function organization(origin: string): Linked {
  return { '@type': 'Organization', name: 'Minimal', url: `${origin}/`, logo: `${origin}/favicon.svg` };
}

function describeProduct(product: Product, title: string, origin: string): Description {
  return {
    status: 200,
    title,
    about: short(product.description || product.subtitle),
    indexed: true,
    kind: 'product',
    image: pictures(product, origin)[0],
    linked: linkedProduct(product, origin),
  };
}

function describePlace({ pathname }: Place, title: string, origin: string): Description {
  const plain: Description = { status: 200, title, about: ABOUT, indexed: true, kind: 'website', linked: [] };
  if (pathname === '/') return { ...plain, linked: [organization(origin)] };
  if (pathname in shop && shop[pathname as keyof typeof shop] !== 'indexed') return { ...plain, indexed: false };
  const [, first, category, subcategory] = pathname.split('/');
  const categoryPage = first === 'category' ? findCategory(category, subcategory) : null;
  if (!categoryPage) return plain;
  const { heading, slug } = categoryPage.page;
  const up = [
    { name: 'Home', path: '/' },
    { name: heading, path: `/category/${slug}` },
  ];
  const steps = subcategory ? [...up, { name: categoryPage.chosen.label, path: pathname }] : up;
  return {
    ...plain,
    about: `${heading}: ${categoryPage.chosen.label}. ${ABOUT}`,
    linked: [breadcrumbs(origin, steps)],
  };
}

/** JSON inside a script element: no `<` in it, so that no text can end the element. */
const inScript = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');

function tags(description: Description, place: Place, origin: string): string {
  const canonical = `${origin}${place.pathname}`;
  const meta = (name: string, content: string) => `<meta name="${name}" content="${escape(content)}">`;
  const property = (name: string, content: string) => `<meta property="${name}" content="${escape(content)}">`;
  return [
    `<title>${escape(description.title)}</title>`,
    meta('description', description.about),
    description.indexed && description.status === 200
      ? `<link rel="canonical" href="${escape(canonical)}">`
      : meta('robots', 'noindex'),
    property('og:site_name', 'Minimal'),
    property('og:type', description.kind),
    property('og:title', description.title),
    property('og:description', description.about),
    property('og:url', canonical),
    ...(description.image
      ? [property('og:image', description.image), meta('twitter:card', 'summary_large_image')]
      : []),
    ...description.linked.map(
      (one) => `<script type="application/ld+json">${inScript({ '@context': 'https://schema.org', ...one })}</script>`,
    ),
  ].join('');
}

/** The status of a page, and what its head says of it to search engines and other sites. */
export function describe(place: Place, title: string, status: number, answers: readonly Answer[], origin: string) {
  const product = productOf(answers);
  const named = title === 'Minimal' && product ? `${product.name} - Minimal` : title;
  const description = product ? describeProduct(product, named, origin) : describePlace(place, named, origin);
  description.status = product === null ? 404 : status;
  return { status: description.status, tags: tags(description, place, origin) };
}
