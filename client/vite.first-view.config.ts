import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Modules that do something else where the server draws a page. */
const OTHERWISE: Record<string, string> = {
  [here('./src/features/catalog/plain-filters.tsx')]: here('./src/first-view/plain-filters.tsx'),
  [here('./src/graphql/injected.ts')]: here('./src/first-view/injected.ts'),
  [here('./src/session/drawn-for.ts')]: here('./src/first-view/drawn-for.ts'),
  [here('./src/ui/later.ts')]: here('./src/first-view/later.tsx'),
  [here('./src/ui/use-title.ts')]: here('./src/first-view/use-title.ts'),
};

function theServersOwn(): Plugin {
  return {
    name: 'the-servers-own',
    enforce: 'pre',
    load: (id) => (OTHERWISE[id] ? `export * from ${JSON.stringify(OTHERWISE[id])};` : null),
  };
}

/** The screens once more, as one script for the V8 in the server, which draws the first view of a page with it. */
export default defineConfig({
  plugins: [react(), theServersOwn()],
  resolve: { alias: { '~': here('./src') } },
  define: { 'process.env.NODE_ENV': '"production"' },
  publicDir: false,
  ssr: { noExternal: true, target: 'webworker' },
  build: {
    ssr: true,
    target: 'es2022',
    minify: true,
    rolldownOptions: {
      input: { 'first-view': here('./src/first-view/main.tsx') },
      output: { format: 'iife', codeSplitting: false, entryFileNames: '[name].js' },
    },
  },
});
