import { readFileSync } from 'node:fs';
import { type FieldPolicy, gql, InMemoryCache } from '@apollo/client';
import { Kind } from 'graphql';
import { expect, test, vi } from 'vitest';

const [, source] = /```js\n([\s\S]+?)```/.exec(readFileSync('../docs/clients.md', 'utf8')) ?? [];
const possibleTypes = JSON.parse(readFileSync('../possibleTypes.json', 'utf8')) as Record<string, string[]>;

// oxlint-disable-next-line no-new-func -- What the page of the documentation says is run as it stands there.
const pages = new Function(`${source}; return pages;`)() as (keyArgs: readonly string[] | false) => FieldPolicy;

const document = gql`
  query Products($filter: ProductFilter, $after: String) {
    products(filter: $filter, after: $after) {
      totalCount
      nodes {
        id
      }
      edges {
        cursor
      }
      pageInfo {
        endCursor
      }
    }
  }
`;

const page = (...ids: string[]) => ({
  products: {
    __typename: 'ProductConnection',
    totalCount: 3,
    nodes: ids.map((id) => ({ __typename: 'Product', id })),
    edges: ids.map((cursor) => ({ __typename: 'ProductEdge', cursor })),
    pageInfo: { __typename: 'PageInfo', endCursor: ids.at(-1) ?? null },
  },
});

test('the documented policy grows nodes and edges of a list, each filter a list of its own', () => {
  const cache = new InMemoryCache({ typePolicies: { Query: { fields: { products: pages(['filter']) } } } });
  const filter = { kind: 'jeans' };
  cache.writeQuery({ query: document, variables: { filter }, data: page('a', 'b') });
  cache.writeQuery({ query: document, variables: { filter, after: 'b' }, data: page('c') });
  cache.writeQuery({ query: document, variables: { filter: null }, data: page('z') });

  const all = cache.readQuery<ReturnType<typeof page>>({ query: document, variables: { filter } });
  expect(all?.products).toEqual(page('a', 'b', 'c').products);
  cache.writeQuery({ query: document, variables: { filter }, data: page('b') });
  expect(cache.readQuery({ query: document, variables: { filter } })).toEqual(page('b'));
});

test('a fragment on an interface matches by the published possible types', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const refusal = gql`
    fragment Refusal on UserError {
      message
    }
  `;
  const [fragment] = refusal.definitions;
  if (fragment?.kind !== Kind.FRAGMENT_DEFINITION) throw new Error('It is a fragment.');
  const matches = (cache: InMemoryCache) => cache.policies.fragmentMatches(fragment, 'InvalidCredentials');

  expect(matches(new InMemoryCache({ possibleTypes }))).toBe(true);
  expect(warn).not.toHaveBeenCalled();
  expect(matches(new InMemoryCache())).toBe(false);
  expect(warn.mock.calls.map(([words]) => String(words))).toEqual([expect.stringContaining('possibleTypes')]);
});
