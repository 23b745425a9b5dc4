// What urql's client gets from the server in SHOP by its defaults, and what it sends.
import { createHash } from 'node:crypto';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';

const { SHOP, MUTATION } = process.env;
const sent = [];

async function ask(url, options) {
  const response = await fetch(url, options);
  const { pathname, searchParams } = new URL(url);
  const type = response.headers.get('content-type');
  sent.push({ method: options.method ?? 'GET', pathname, named: [...searchParams.keys()].sort(), status: response.status, type });
  return response;
}

const generateHash = async (query) => createHash('sha256').update(query).digest('hex');
const persisted = persistedExchange({ generateHash });
const plain = new Client({ url: SHOP, fetch: ask, exchanges: [cacheExchange, fetchExchange] });
const hashing = new Client({ url: SHOP, fetch: ask, exchanges: [persisted, fetchExchange] });

async function got(operation) {
  sent.length = 0;
  const { data, error } = await operation.toPromise();
  return { data, errors: error?.graphQLErrors.map(({ message, extensions }) => ({ message, extensions })), sent: [...sent] };
}

const NAMED = 'query Named($id: ID!) { shop { name } product(id: $id) { name } }';
console.log(
  JSON.stringify({
    query: await got(plain.query(NAMED, { id: 'none' })),
    mutation: await got(plain.mutation(MUTATION, {})),
    invalid: await got(plain.query('{ shop { nothing } }', {})),
    unknown: await got(hashing.query('query Unknown { shop { currency } }', {})),
  }),
);
process.exit(0);
