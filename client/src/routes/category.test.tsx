import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { jean, specified, twoLeft } from '~/features/catalog/fixtures';
import { renderShop, shopServer } from '~/test/shop';
import CategoryRoute from './category';
import { CategoriesDocument } from '~/features/catalog/categories.generated';
import { MostWornDocument } from './most-worn.generated';
import { ProductFacetsDocument, ProductListDocument } from '~/features/catalog/product-list.generated';

const shop = shopServer();
let requests: Record<string, unknown>[];

const typed = (id: string) => {
  const product = jean({ id, name: `Jean ${id}` });
  return {
    __typename: 'Product',
    ...product,
    sizes: ['M' as const],
    variants: [],
    colors: product.colors.map((color) => ({ __typename: 'Color', ...color })),
  };
};

function list(ids: string[], over = {}) {
  return {
    products: {
      __typename: 'ProductConnection',
      totalCount: ids.length,
      nodes: ids.map(typed),
      pageInfo: { __typename: 'PageInfo', hasNextPage: false, endCursor: null },
      ...over,
    },
  };
}

beforeEach(() => {
  requests = shop.answer(ProductListDocument, list(['1', '2']));
  shop.answer(CategoriesDocument, { categories: specified() });
  shop.answer(ProductFacetsDocument, {
    categories: [],
    products: {
      __typename: 'ProductConnection',
      totalCount: 2,
      facets: twoLeft,
    },
  });
});

const open = (at: string) =>
  renderShop(
    <Routes>
      <Route path="/category/:category" element={<CategoryRoute />} />
      <Route path="/category/:category/:subcategory" element={<CategoryRoute />} />
    </Routes>,
    at,
  );

function wide(matches: boolean) {
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (media) =>
      ({ matches: matches && media.includes('630px'), addEventListener() {}, removeEventListener() {} }) as never,
  );
}

test('products show the color that the list is narrowed to, until another is chosen', async () => {
  const { user } = open('/category/men/jeans?color=Black');

  const product = await screen.findByRole('article', { name: 'Jean 1' });
  expect(within(product).getByRole('img', { name: 'Straight Jean, Black, front' })).toBeInTheDocument();

  await user.click(within(product).getByRole('radio', { name: 'Indigo' }));
  expect(within(product).getByRole('img', { name: 'Straight Jean, Indigo, front' })).toBeInTheDocument();
});

describe('headings, subcategories and the one preselected', () => {
  // spec: screens.category.heading, screens.category.first, constants.subcategories, constants.defaults
  test.each([
    ['/category/men', "Men's Collection", ['Jeans', 'Shirts'], 'Jeans'],
    ['/category/women', "Women's Collection", ['Jeans', 'Shirts', 'Trousers'], 'Jeans'],
    ['/category/sale', 'Sale & Clearance', ["Men's Sale", "Women's Sale"], "Men's Sale"],
    ['/category/women/trousers', "Women's Collection", ['Jeans', 'Shirts', 'Trousers'], 'Trousers'],
    ['/category/sale/women', 'Sale & Clearance', ["Men's Sale", "Women's Sale"], "Women's Sale"],
  ])('of %s', async (at, heading, subcategories, chosen) => {
    open(at);

    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(heading);
    const links = within(screen.getByRole('navigation', { name: heading })).getAllByRole('link');
    expect(links.map((link) => link.textContent?.replace(/\d+$/, ''))).toEqual(subcategories);
    expect(links.find((link) => link.hasAttribute('aria-current'))).toHaveTextContent(chosen);
    expect(screen.getByRole('heading', { level: 2 })).toHaveTextContent(chosen);
  });

  test('a category that the shop does not have leads on', async () => {
    shop.answer(MostWornDocument, list([]));
    open('/category/hats');

    expect(await screen.findByRole('heading', { name: 'Nothing hangs here' })).toBeInTheDocument();
  });
});

describe('the list', () => {
  // spec: screens.category.list
  test('asks for the subcategory, the address’s filters and its order', async () => {
    open('/category/men/jeans?size=M&color=Blue&from=60&stock=in&sort=price');

    await screen.findByRole('article', { name: 'Jean 1' });

    expect(requests).toEqual([
      {
        filter: {
          department: 'men',
          kind: 'jeans',
          sizes: ['M' as const],
          colors: ['Blue'],
          priceFrom: '60',
          inStock: true,
        },
        sort: 'PRICE_ASCENDING',
        first: 12,
        after: null,
        withRows: false,
      },
    ]);
  });

  test('loads the picture that a phone shows first ahead of all others', async () => {
    shop.answer(ProductListDocument, list(['1', '2', '3']));
    open('/category/men');
    await screen.findByRole('article', { name: 'Jean 3' });

    const ways = screen.getAllByRole('article').map((card) => {
      const [picture] = within(card).getAllByRole('img');
      return `${picture?.getAttribute('loading')} ${picture?.getAttribute('fetchpriority')}`;
    });

    expect(ways).toEqual(['eager high', 'lazy null', 'lazy null']);
  });

  test('shows the next page under the first and keeps its place in the address', async () => {
    shop.answer(
      ProductListDocument,
      list(['1', '2'], {
        totalCount: 3,
        pageInfo: { __typename: 'PageInfo', hasNextPage: true, endCursor: 'after-2' },
      }),
    );
    const { user } = open('/category/women/shirts');
    await screen.findByText('2 of 3 pieces');

    const more = shop.answer(ProductListDocument, list(['3'], { totalCount: 3 }));
    await user.click(screen.getByRole('link', { name: 'Show the next 1' }));

    expect(await screen.findByRole('article', { name: 'Jean 3' })).toBeInTheDocument();
    expect(screen.getByRole('article', { name: 'Jean 1' })).toBeInTheDocument();
    expect(more).toEqual([expect.objectContaining({ after: 'after-2' })]);
    expect(screen.getByTestId('address')).toHaveTextContent('/category/women/shirts?after=after-2');
  });

  test('takes filters as fast as they are pressed, and shows them pressed at once', async () => {
    open('/category/men/shirts');
    await screen.findByRole('heading', { level: 1 });
    const [stock, sale] = ['In stock', 'On sale'].map((name) => screen.getAllByRole('checkbox', { name })[0]);

    await act(async () => {
      stock?.click();
      sale?.click();
    });

    expect(screen.getByTestId('address')).toHaveTextContent('/category/men/shirts?stock=in&sale=on');
    expect(stock).toBeChecked();
    expect(sale).toBeChecked();
  });

  test('says when nothing fits, and clears the filters', async () => {
    shop.answer(ProductListDocument, list([]));
    const { user } = open('/category/men/shirts?color=Black');

    await user.click(await screen.findByRole('button', { name: 'Clear the filters' }));

    expect(screen.getByTestId('address')).toHaveTextContent(/^\/category\/men\/shirts$/);
  });

  // spec: errors.products.fetch
  test('says that it could not be retrieved', async () => {
    shop.fail(ProductListDocument, 'INTERNAL');

    open('/category/men/jeans?color=Red');

    expect(await screen.findByRole('heading', { name: 'Error retrieving products' })).toBeInTheDocument();
  });
});

describe('grid and list', () => {
  // spec: screens.category.view
  test('can be chosen from 630 px, and the choice is remembered', async () => {
    wide(true);
    const { user } = open('/category/men/jeans?sort=newest');
    await screen.findByRole('article', { name: 'Jean 1' });

    await user.click(screen.getByRole('button', { name: 'List' }));

    await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
    expect(await screen.findAllByRole('listitem')).not.toHaveLength(0);
    expect(localStorage.getItem('minimal:list-view')).toBe('list');
  });

  // spec: screens.category.view, constants.width
  test('below 630 px it is the grid, whatever was chosen', async () => {
    wide(false);
    localStorage.setItem('minimal:list-view', 'list');

    open('/category/men/jeans?sort=price-down');

    expect(await screen.findByRole('article', { name: 'Jean 1' })).toBeInTheDocument();
  });
});
