import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * The back office, a document of its own beside the shop's: built apart, so that nothing it needs, such as the router's
 * data half, can come into a file that shoppers fetch.
 */
export default defineConfig({
  plugins: [react()],
  publicDir: false,
  resolve: {
    alias: { '~routes': here('./routes.json'), '~': here('./src') },
    conditions: ['es2015', ...defaultClientConditions],
  },
  build: {
    target: 'es2022',
    emptyOutDir: false,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: here('./back-office.html') },
  },
});
