import { findCategory } from '~/features/catalog/categories';
import type { CategoriesQuery } from '~/features/catalog/categories.generated';
import { contact } from '~/features/help/contact';
import { teasers } from '~/features/help/help-text';
import { texts } from '~/features/help/texts';
import { topics, type Topic } from '~/features/help/topics';
import type { ProductQuery } from '~/routes/product.generated';
import { shop } from '~routes';
import type { Answer } from './injected';
import { type Linked, pictures, productGroup } from './product-group';

type Product = NonNullable<ProductQuery['product']>;
type Shop = ProductQuery['shop'];

interface Place {
  pathname: string;
  search: string;
}

const ABOUT = 'Shirts, jeans and trousers for women and men. Few of them, made well, and kept in stock.';

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const short = (text: string) => (text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s+\S*$/, '')}...`);

/** `undefined` when no product was requested; its `product` is null when there is none. */
function productAnswer(answers: readonly Answer[]): ProductQuery | undefined {
  return answers.find(({ operation }) => operation === 'Product')?.data as ProductQuery | undefined;
}

function categoriesAnswer(answers: readonly Answer[]): CategoriesQuery['categories'] {
  const answer = answers.find(({ operation }) => operation === 'Categories')?.data as CategoriesQuery | undefined;
  return answer?.categories ?? [];
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

function linkedProduct(product: Product, shop: Shop, origin: string): Linked[] {
  const { category } = product;
  return [
    productGroup(product, shop, origin),
    breadcrumbs(origin, [
      { name: 'Home', path: '/' },
      { name: category.department.name, path: category.department.path },
      ...(category.path === category.department.path ? [] : [{ name: category.name, path: category.path }]),
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

/** What is read under a help page's name in search results. */
function helpDescription(topic: Topic): string {
  const { lead } = topic === 'contact' ? contact({ email: undefined, failed: false }) : texts[topic];
  return short(
    [`${topics[topic].title}. ${teasers[topic]}`, typeof lead === 'string' && lead].filter(Boolean).join(' '),
  );
}

const helpTopics = new Map(Object.entries(topics).map(([topic, { to }]) => [to as string, topic as Topic]));

function organization(origin: string): Linked {
  return { '@type': 'Organization', name: 'Minimal', url: `${origin}/`, logo: `${origin}/favicon.svg` };
}

function describeProduct(
  { product, shop }: { product: Product; shop: Shop },
  title: string,
  origin: string,
): Description {
  return {
    status: 200,
    title,
    about: short(product.description || product.subtitle),
    indexed: true,
    kind: 'product',
    image: pictures(product, origin)[0],
    linked: linkedProduct(product, shop, origin),
  };
}

function describePlace({ pathname }: Place, title: string, answers: readonly Answer[], origin: string): Description {
  const plain: Description = { status: 200, title, about: ABOUT, indexed: true, kind: 'website', linked: [] };
  if (pathname === '/') return { ...plain, linked: [organization(origin)] };
  if (pathname in shop && shop[pathname as keyof typeof shop] !== 'indexed') return { ...plain, indexed: false };
  const topic = helpTopics.get(pathname);
  if (topic) return { ...plain, about: helpDescription(topic) };
  const categoryPage = findCategory(categoriesAnswer(answers), pathname);
  if (!categoryPage) return plain;
  const { page, chosen } = categoryPage;
  const up = [
    { name: 'Home', path: '/' },
    { name: page.heading, path: page.path },
  ];
  const steps = pathname === page.path ? up : [...up, { name: chosen.label, path: pathname }];
  return {
    ...plain,
    about: `${chosen.heading}: ${chosen.label}. ${ABOUT}`,
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
  const answer = productAnswer(answers);
  const product = answer?.product;
  const named = title === 'Minimal' && product ? `${product.name} - Minimal` : title;
  const description = product
    ? describeProduct({ ...answer, product }, named, origin)
    : describePlace(place, named, answers, origin);
  description.status = product === null ? 404 : status;
  return { status: description.status, tags: tags(description, place, origin) };
}
