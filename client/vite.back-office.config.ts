import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The back office and the workbench, documents of their own beside the shop's: built apart, so that nothing they need, such
 * as the router's data half or graphql's parser, can come into a file that shoppers fetch.
 */
export default defineConfig({
  plugins: [react()],
  publicDir: false,
  worker: { format: 'es' },
  resolve: {
    alias: { '~routes': here('./routes.json'), '~': here('./src') },
    conditions: ['es2015', ...defaultClientConditions],
  },
  build: {
    target: 'es2022',
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { 'back-office': here('./back-office.html'), graphiql: here('./graphiql.html') } },
  },
});
