import { kindNames, kindsOf, slugOf } from '~/graphql/catalogue';
import type { Gender, ProductFilter, Subcategory } from '~/graphql/schema.generated';
import { texts } from './texts';

export interface SubcategoryPage {
  slug: string;
  label: string;
  filter: ProductFilter;
}

export interface CategoryPage {
  slug: string;
  heading: string;
  subcategories: readonly [SubcategoryPage, ...SubcategoryPage[]];
}

const collection = (gender: Gender, heading: string): CategoryPage => {
  const page = (subcategory: Subcategory): SubcategoryPage => ({
    slug: slugOf(subcategory),
    label: kindNames[subcategory],
    filter: { gender, subcategory },
  });
  const [first, ...others] = kindsOf[gender];
  return { slug: slugOf(gender), heading, subcategories: [page(first), ...others.map(page)] };
};

const reduced = (gender: Gender, label: string): SubcategoryPage => ({
  slug: slugOf(gender),
  label,
  filter: { gender, onSale: true },
});

const pages: readonly CategoryPage[] = [
  collection('MEN', texts.men),
  collection('WOMEN', texts.women),
  {
    slug: 'sale',
    heading: texts.sale,
    subcategories: [reduced('MEN', texts.mensSale), reduced('WOMEN', texts.womensSale)],
  },
];

/** The page of an address's two words, the first subcategory when the second is missing; null when there is none. */
export function findCategory(
  category: string | undefined,
  subcategory: string | undefined,
): { page: CategoryPage; chosen: SubcategoryPage } | null {
  const page = pages.find(({ slug }) => slug === category);
  if (!page) return null;
  const chosen = subcategory ? page.subcategories.find(({ slug }) => slug === subcategory) : page.subcategories[0];
  return chosen ? { page, chosen } : null;
}
