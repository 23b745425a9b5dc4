// Writes the documents of all queries and mutations, as the client sends them, in the format of Apollo's persisted query
// manifest: node codegen/manifest.js FILE
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { InMemoryCache } from '@apollo/client';
import { print } from 'graphql';
import { createServer } from 'vite';

const [file] = process.argv.slice(2);
const cache = new InMemoryCache();
const vite = await createServer({
  configFile: false,
  logLevel: 'error',
  appType: 'custom',
  resolve: { alias: { '~': new URL('../src', import.meta.url).pathname } },
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});
const { modules } = await vite.ssrLoadModule('/codegen/documents.js');
const operations = Object.values(modules)
  .flatMap((module) => Object.entries(module))
  .filter(([name]) => name.endsWith('Document'))
  .map(([, document]) => {
    const { operation, name } = document.definitions.find(({ kind }) => kind === 'OperationDefinition');
    const body = print(cache.transformDocument(document));
    return { id: createHash('sha256').update(body).digest('hex'), body, name: name.value, type: operation };
  })
  .filter(({ type }) => type !== 'subscription')
  .toSorted((one, other) => one.name.localeCompare(other.name));
await vite.close();
writeFileSync(file, JSON.stringify({ format: 'apollo-persisted-query-manifest', version: 1, operations }));
