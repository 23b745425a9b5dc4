import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * @react-oauth/google loads Google's script from a literal address. The page may name another one
 * (`<meta name="google-script">`), so that the shop can be run where Google cannot be reached.
 */
function googleScriptFromPage(): Plugin {
  const literal = /(['"])https:\/\/accounts\.google\.com\/gsi\/client\1/g;
  const fromPage =
    '(document.querySelector(\'meta[name="google-script"]\')?.content ?? "https://accounts.google.com/gsi/client")';
  return {
    name: 'google-script-from-page',
    enforce: 'pre',
    transform(code, id) {
      if (!/node_modules\/@react-oauth\/google\/.*\.js$/.test(id)) return null;
      if (!literal.test(code)) this.error(`The address of Google's script is no longer written out in ${id}.`);
      return { code: code.replace(literal, fromPage), map: null };
    },
  };
}

const server = `http://127.0.0.1:${process.env.PORT ?? '8000'}`;

export default defineConfig({
  plugins: [react(), googleScriptFromPage()],
  resolve: { alias: { '~': here('./src') } },
  optimizeDeps: { exclude: ['@react-oauth/google'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { index: here('./index.html'), graphiql: here('./graphiql.html') } },
  },
  server: {
    host: '127.0.0.1',
    port: Number(process.env.VITE_PORT ?? '5173'),
    proxy: { '/graphql': { target: server, ws: true }, '/api': server, '/media': server },
  },
  test: {
    environment: 'jsdom',
    setupFiles: ['./src/test/setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
  },
});
