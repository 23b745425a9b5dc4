import type { ProductFilter } from '~/graphql/schema.generated';
import type { CategoryCountFragment } from './categories.generated';
import { texts } from './category-texts';
import { departmentsOf, salePath } from '~/graphql/catalogue';
import { texts as shared } from './texts';

type Department = CategoryCountFragment['department'];

export interface SubcategoryPage {
  /** Of its category; none in the sale. */
  ids: string[];
  path: string;
  label: string;
  heading: string;
  filter: ProductFilter;
  count?: number;
}

export interface CategoryPage {
  path: string;
  heading: string;
  subcategories: readonly SubcategoryPage[];
}

function collection({ key, heading, path }: Department, categories: readonly CategoryCountFragment[]): CategoryPage {
  const subcategories = categories
    .filter(({ department }) => department.key === key)
    .map((category) => ({
      ids: [category.id],
      path: category.path,
      label: category.name,
      heading: category.heading,
      filter: { department: key, kind: category.kind.key },
      count: category.productCount,
    }));
  return { path, heading, subcategories: subcategories.toSorted((a, b) => a.label.localeCompare(b.label)) };
}

const sale = (departments: readonly Department[]): CategoryPage => ({
  path: '/category/sale',
  heading: shared.sale,
  subcategories: departments.map((department) => ({
    ids: [],
    path: salePath(department),
    label: texts.saleOf(department.name),
    heading: shared.sale,
    filter: { department: department.key, onSale: true },
  })),
});

/** The page at a path; that of a department is of the first kind of its own. Null when there is none. */
export function findCategory(
  categories: readonly CategoryCountFragment[],
  path: string,
): { page: CategoryPage; chosen: SubcategoryPage } | null {
  const departments = departmentsOf(categories);
  for (const page of [...departments.map((one) => collection(one, categories)), sale(departments)]) {
    const chosen = page.subcategories.find((one, at) => one.path === path || (at === 0 && page.path === path));
    if (chosen) return { page, chosen };
  }
  return null;
}
