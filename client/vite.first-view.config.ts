import { readFile, writeFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Modules that do something else where the server draws a page. */
const OTHERWISE: Record<string, string> = {
  [here('./src/features/catalog/plain-filters.tsx')]: here('./src/first-view/plain-filters.tsx'),
  [here('./src/graphql/injected.ts')]: here('./src/first-view/injected.ts'),
  [here('./src/session/drawn-for.ts')]: here('./src/first-view/drawn-for.ts'),
  [here('./src/ui/lazy-when-idle.ts')]: here('./src/first-view/lazy-when-idle.tsx'),
  [here('./src/ui/shop-name.ts')]: here('./src/first-view/shop-name.ts'),
  [here('./src/ui/use-title.ts')]: here('./src/first-view/use-title.ts'),
  [here('./src/ui/without-script.tsx')]: here('./src/first-view/without-script.tsx'),
  [here('./src/ui/year.ts')]: here('./src/first-view/year.ts'),
};

function theServersOwn(): Plugin {
  return {
    name: 'the-servers-own',
    enforce: 'pre',
    load: (id) => (OTHERWISE[id] ? `export * from ${JSON.stringify(OTHERWISE[id])};` : null),
  };
}

const GENERIC_NOTE = /(?<=<noscript>).*(?=<\/noscript>)/;

async function drawWithoutScript(firstView: string): Promise<string> {
  const context = createContext();
  runInContext(firstView, context);
  for (let attempts = 8; attempts > 0; attempts--) {
    const html = runInContext('firstView.renderWithoutScript()', context) as string | null;
    if (html) return html;
    await setImmediate();
  }
  throw new Error('The page for browsers without script could not be drawn.');
}

/** Pages that are sent undrawn are a shell as built, so the shells tell a browser without script what to do. */
function shellWithoutScript(): Plugin {
  return {
    name: 'shell-without-script',
    async writeBundle({ dir }) {
      const html = await drawWithoutScript(await readFile(`${dir}/first-view.js`, 'utf8'));
      for (const file of [`${dir}/../index.html`, `${dir}/../back-office.html`]) {
        const shell = await readFile(file, 'utf8');
        if (!GENERIC_NOTE.test(shell) || html.includes('<noscript'))
          this.error(`There is no place for the page in ${file}.`);
        await writeFile(
          file,
          shell.replace(GENERIC_NOTE, () => html),
        );
      }
    },
  };
}

/** The screens once more, as one script for the V8 in the server, which draws the first view of a page with it. */
export default defineConfig({
  plugins: [react(), theServersOwn(), shellWithoutScript()],
  resolve: { alias: { '~routes': here('./routes.json'), '~': here('./src') } },
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
