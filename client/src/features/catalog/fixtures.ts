import type { ListedProductsFragment } from './product-list.generated';

const picture = (id: string, alt: string) => ({
  __typename: 'Image' as const,
  id,
  alt,
  avif: `/images/${id}/400.avif 400w`,
  fallback: `/images/${id}/900.webp`,
});

type ListedProduct = ListedProductsFragment['nodes'][number];

/** A jean in two colors, for tests. */
export function jean(over: Partial<ListedProduct> = {}): ListedProduct {
  return {
    id: 'p1',
    name: 'Straight Jean',
    title: 'Straight Jean',
    subtitle: 'Washed 12 oz denim',
    price: '120.00',
    discountedPrice: null,
    discountPercentage: null,
    stock: 9,
    createdAt: '2025-01-01T08:00:00Z',
    colors: [
      {
        id: 'c1',
        name: 'Indigo',
        hex: '#2e3f62',
        family: 'Blue',
        images: [picture('i1', 'Straight Jean, Indigo, front'), picture('i2', 'Straight Jean, Indigo, back')],
      },
      {
        id: 'c2',
        name: 'Black',
        hex: '#25262a',
        family: 'Black',
        images: [picture('i3', 'Straight Jean, Black, front')],
      },
    ],
    ...over,
  };
}

/** The facets of a list of which two products are left. */
export const twoLeft = {
  __typename: 'ProductFacets',
  sizes: [],
  colors: [],
  priceRange: null,
  inStock: 2,
  onSale: 0,
} as const;

const department = (key: 'men' | 'women') => {
  const name = key === 'men' ? 'Men' : 'Women';
  return { __typename: 'Department', key, name, heading: `${name}'s Collection`, path: `/category/${key}` } as const;
};

/** The specification's categories in the order of the menu, or others. */
export const specified = (
  kinds: readonly (readonly ['men' | 'women', string])[] = [
    ['men', 'Shirts'],
    ['men', 'Jeans'],
    ['women', 'Shirts'],
    ['women', 'Jeans'],
    ['women', 'Trousers'],
  ],
) =>
  kinds.map(([whom, name], at) => {
    const key = name.toLowerCase();
    return {
      __typename: 'Category' as const,
      id: `${whom}_${key}`,
      name,
      heading: department(whom).heading,
      path: `/category/${whom}/${key}`,
      department: department(whom),
      kind: { __typename: 'ProductKind', key, name },
      productCount: at + 10,
    };
  });
