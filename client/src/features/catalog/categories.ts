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

const kind = (gender: Gender, subcategory: Subcategory, label: string): SubcategoryPage => ({
  slug: subcategory.toLowerCase(),
  label,
  filter: { gender, subcategory },
});

const pages: readonly CategoryPage[] = [
  {
    slug: 'men',
    heading: texts.men,
    subcategories: [kind('MEN', 'JEANS', 'Jeans'), kind('MEN', 'SHIRTS', 'Shirts')],
  },
  {
    slug: 'women',
    heading: texts.women,
    subcategories: [
      kind('WOMEN', 'JEANS', 'Jeans'),
      kind('WOMEN', 'SHIRTS', 'Shirts'),
      kind('WOMEN', 'TROUSERS', 'Trousers'),
    ],
  },
  {
    slug: 'sale',
    heading: texts.sale,
    subcategories: [
      { slug: 'men', label: texts.mensSale, filter: { gender: 'MEN', onSale: true } },
      { slug: 'women', label: texts.womensSale, filter: { gender: 'WOMEN', onSale: true } },
    ],
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
