import { type Department, type Kind, kindNames, kindsOf } from '~/graphql/catalogue';
import type { ProductFilter } from '~/graphql/schema.generated';
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

const collection = (department: Department, heading: string): CategoryPage => {
  const page = (kind: Kind): SubcategoryPage => ({ slug: kind, label: kindNames[kind], filter: { department, kind } });
  const [first, ...others] = kindsOf[department];
  return { slug: department, heading, subcategories: [page(first), ...others.map(page)] };
};

const reduced = (department: Department, label: string): SubcategoryPage => ({
  slug: department,
  label,
  filter: { department, onSale: true },
});

const pages: readonly CategoryPage[] = [
  collection('men', texts.men),
  collection('women', texts.women),
  {
    slug: 'sale',
    heading: texts.sale,
    subcategories: [reduced('men', texts.mensSale), reduced('women', texts.womensSale)],
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
