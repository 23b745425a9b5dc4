// What the catalogue is divided and ordered by, what that is called, and where it is shown.
import type { ProductSort } from './schema.generated';

/** A size's name within the system of its category: "M", "38", "W30 L32". */
export type Size = string;

/** The sizes of a fresh shop, the smallest first. The server has all systems. */
export const SIZES: readonly Size[] = ['XS', 'S', 'M', 'L', 'XL', 'XXL'];

/** Keys of the departments and kinds that the menu and the first page show; addresses have the same words. */
export type Department = 'men' | 'women';
export type Kind = 'jeans' | 'shirts' | 'trousers';

export const departmentNames: Record<Department, string> = { men: 'Men', women: 'Women' };

export const categoryPath = (department: Department, kind?: Kind): string =>
  kind ? `/category/${department}/${kind}` : `/category/${department}`;

/** Departments of categories that are in the order of the menu. */
export const departmentsOf = <One extends { key: string }>(categories: readonly { department: One }[]): One[] => [
  ...new Map(categories.map(({ department }) => [department.key, department])).values(),
];

/** Of what is discounted in a department. */
export const salePath = ({ path }: { path: string }): string => path.replace('/category/', '/category/sale/');

export interface Order {
  id: ProductSort;
  slug: string;
  label: string;
}

export const NEWEST: Order = { id: 'NEWEST', slug: 'newest', label: 'Newest' };
