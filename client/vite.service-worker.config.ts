import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** A browser takes a service worker for new when its text is: it changes with every build of the pages it serves. */
function newWithEveryBuild(): Plugin {
  let folder = '';
  return {
    name: 'new-with-every-build',
    configResolved: ({ root, build }) => {
      folder = join(root, build.outDir);
    },
    generateBundle(_options, bundle) {
      const build = createHash('sha256')
        .update(readFileSync(join(folder, '.vite/manifest.json')))
        .digest('hex');
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code += `\n// ${build}\n`;
    },
  };
}

/** The service worker: one script without imports, at an address that never changes, beside the built client. */
export default defineConfig({
  plugins: [newWithEveryBuild()],
  publicDir: false,
  build: {
    target: 'es2022',
    emptyOutDir: false,
    rolldownOptions: {
      input: { sw: here('./src/service-worker/main.ts') },
      output: { format: 'iife', codeSplitting: false, entryFileNames: '[name].js' },
    },
  },
});
