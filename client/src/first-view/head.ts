import { findCategory } from '~/features/catalog/categories';
import type { CategoriesQuery } from '~/features/catalog/categories.generated';
import type { ProductFacetsQuery } from '~/features/catalog/product-list.generated';
import { contact } from '~/features/help/contact';
import { teasers } from '~/features/help/help-text';
import { texts } from '~/features/help/texts';
import { topics, type Topic } from '~/features/help/topics';
import type { ContentPageQuery } from '~/routes/content-page.generated';
import type { ProductQuery } from '~/routes/product.generated';
import { shopName } from '~/ui/shop-name';
import { titled } from '~/ui/titled';
import { shop } from '~routes';
import type { Answer } from './injected';
import { absolute, type Linked, pictures, productGroup } from './product-group';

type Product = NonNullable<ProductQuery['product']>;
type Shop = ProductQuery['shop'];
type ContentPage = NonNullable<ContentPageQuery['page']>;

interface Place {
  pathname: string;
  search: string;
}

const ABOUT = 'Shirts, jeans and trousers for women and men. Few of them, made well, and kept in stock.';

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const short = (text: string) => (text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s+\S*$/, '')}...`);

/** The operations whose answers a head is made of. */
interface Answers {
  Product: ProductQuery;
  ContentPage: ContentPageQuery;
  Categories: CategoriesQuery;
  ProductFacets: ProductFacetsQuery;
}

/** `undefined` when it was not requested; what it asks for is null when there is none. */
function answerOf<Name extends keyof Answers>(answers: readonly Answer[], name: Name): Answers[Name] | undefined {
  return answers.find(({ operation }) => operation === name)?.data as Answers[Name] | undefined;
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
  return { '@type': 'Organization', name: shopName(), url: `${origin}/`, logo: `${origin}/favicon.svg` };
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

const pictureOf = ({ blocks }: ContentPage) =>
  blocks
    .flatMap((block) => {
      if (block.__typename === 'HeroBlock') return block.slides.map(({ picture }) => picture);
      return block.__typename === 'PictureWithWordsBlock' ? [block.picture] : [];
    })
    .find(Boolean)?.fallback;

function describeContentPage(page: ContentPage, title: string, origin: string): Description {
  const about = page.description || `${page.title}. ${ABOUT}`;
  const image = pictureOf(page);
  return {
    status: 200,
    title,
    about: short(about),
    indexed: true,
    kind: 'website',
    image: image && absolute(image, origin),
    linked: [
      {
        '@type': 'WebPage',
        name: page.title,
        description: about,
        url: origin + page.path,
        dateModified: page.updatedAt,
      },
      breadcrumbs(origin, [
        { name: 'Home', path: '/' },
        { name: page.title, path: page.path },
      ]),
    ],
  };
}

function describePlace({ pathname }: Place, title: string, answers: readonly Answer[], origin: string): Description {
  const plain: Description = { status: 200, title, about: ABOUT, indexed: true, kind: 'website', linked: [] };
  if (pathname === '/') return { ...plain, linked: [organization(origin)] };
  if (pathname in shop && shop[pathname as keyof typeof shop] !== 'indexed') return { ...plain, indexed: false };
  const topic = helpTopics.get(pathname);
  if (topic) return { ...plain, about: helpDescription(topic) };
  const categoryPage = findCategory(answerOf(answers, 'Categories')?.categories ?? [], pathname);
  if (!categoryPage) return plain;
  const { page, chosen } = categoryPage;
  const up = [
    { name: 'Home', path: '/' },
    { name: page.heading, path: page.path },
  ];
  const steps = pathname === page.path ? up : [...up, { name: chosen.label, path: pathname }];
  const [words] = answerOf(answers, 'ProductFacets')?.categories ?? [];
  const { description = '', image = null } = words ?? {};
  const about = short(description) || `${chosen.heading}: ${chosen.label}. ${ABOUT}`;
  const picture = image ? absolute(image.fallback, origin) : undefined;
  const described: Linked[] =
    description || picture
      ? [{ '@type': 'CollectionPage', name: title, url: origin + pathname, description: about, image: picture }]
      : [];
  return { ...plain, about, image: picture, linked: [breadcrumbs(origin, steps), ...described] };
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
    property('og:site_name', shopName()),
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
  const answer = answerOf(answers, 'Product');
  const product = answer?.product;
  const page = answerOf(answers, 'ContentPage')?.page;
  const name = product?.name ?? page?.title;
  const named = title === shopName() && name ? titled(name) : title;
  const description = describeShown();
  description.status = product === null || page === null ? 404 : status;
  return { status: description.status, tags: tags(description, place, origin) };

  function describeShown(): Description {
    if (answer && product) return describeProduct({ ...answer, product }, named, origin);
    return page ? describeContentPage(page, named, origin) : describePlace(place, named, answers, origin);
  }
}
