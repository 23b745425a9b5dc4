// What Apollo's client gets from the server in SHOP: by default, by hashed queries as GET, and in a batch.
import { createHash } from 'node:crypto';
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client/core';
import { BatchHttpLink } from '@apollo/client/link/batch-http';
import { createPersistedQueryLink } from '@apollo/client/link/persisted-queries';

const { SHOP, HASHED, MUTATION } = process.env;
const sent = [];

async function ask(url, options) {
  const response = await fetch(url, options);
  const { searchParams } = new URL(url);
  const type = response.headers.get('content-type');
  sent.push({ method: options.method ?? 'GET', named: [...searchParams.keys()].sort(), status: response.status, type });
  return response;
}

const sha256 = (query) => createHash('sha256').update(query).digest('hex');
const http = { uri: SHOP, fetch: ask };
const client = (link) => new ApolloClient({ cache: new InMemoryCache(), link });
const plain = client(new HttpLink(http));
const hashing = client(createPersistedQueryLink({ sha256, useGETForHashedQueries: true }).concat(new HttpLink(http)));
const batching = client(new BatchHttpLink({ ...http, batchMax: 2, batchInterval: 20 }));

async function got(work) {
  sent.length = 0;
  try {
    const { data } = await work();
    return { data, sent: [...sent] };
  } catch (error) {
    return { error: `${error.message} ${error.bodyText ?? ''}`, name: error.name, codes: error.errors?.map((each) => each.extensions?.code), sent: [...sent] };
  }
}

const NAMED = gql`query Named { shop { name } }`;
const OTHER = gql`query Other { shop { currency } }`;
console.log(
  JSON.stringify({
    query: await got(() => plain.query({ query: NAMED })),
    mutation: await got(() => plain.mutate({ mutation: gql(MUTATION) })),
    invalid: await got(() => plain.query({ query: gql`query Invalid { shop { nothing } }` })),
    hashed: await got(() => hashing.query({ query: gql(HASHED) })),
    unknown: await got(() => hashing.query({ query: OTHER })),
    batch: await got(() => Promise.all([batching.query({ query: NAMED }), batching.query({ query: OTHER })]).then(() => ({}))),
  }),
);
process.exit(0);
