import { describe, expect, it } from 'vitest';
import { linkTo, readShared } from './shared-query';

describe('a link to a query', () => {
  it('brings query and variables back exactly, behind the # that no server sees', () => {
    const shared = {
      query: 'query A($n: Int!) {\n  a(n: $n) # 50% & more + "é"\n}\n',
      variables: '{"n": 1}',
      operationName: null,
    };

    const link = new URL(linkTo(shared, 'https://shop.example/graphiql'));

    expect(link.search).toBe('');
    expect(readShared(link.hash)).toEqual(shared);
  });

  it('says which operation is meant, as /graphql passes it on', () => {
    const hash = '#query=query%20A%20%7B%20a%20%7D%20query%20B%20%7B%20b%20%7D&operationName=B';

    expect(readShared(hash)).toEqual({
      query: 'query A { a } query B { b }',
      variables: null,
      operationName: 'B',
    });
  });

  it('leaves out variables that say nothing', () => {
    expect(linkTo({ query: '{ a }', variables: ' ' }, '/graphiql')).toBe('/graphiql#query=%7B%20a%20%7D');
  });

  it('brings nothing when there is no query in it', () => {
    expect(readShared('')).toBeNull();
    expect(readShared('#variables=%7B%7D')).toBeNull();
  });
});
