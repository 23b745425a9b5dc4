import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Manifest, type Plugin } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** What a browser needs to run a source file. */
function filesOf(manifest: Manifest, source: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[source];
  if (!chunk || files.has(chunk.file)) return files;
  for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
  for (const needed of chunk.imports ?? []) filesOf(manifest, needed, files);
  return files;
}

/**
 * What the worker has to know of the pages that it serves, which are built before it. A browser takes a service worker
 * for new when its text is: it changes with every build of theirs.
 */
function knowsTheBuild(): Plugin {
  let manifest = '';
  return {
    name: 'knows-the-build',
    config: ({ build }) => {
      manifest = readFileSync(join(here('.'), build?.outDir ?? 'dist', '.vite/manifest.json'), 'utf8');
      const files = filesOf(JSON.parse(manifest) as Manifest, 'src/routes/offline.tsx');
      return { define: { OFFLINE_FILES: JSON.stringify([...files].map((file) => `/${file}`)) } };
    },
    generateBundle(_options, bundle) {
      const build = createHash('sha256').update(manifest).digest('hex');
      for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk') chunk.code += `\n// ${build}\n`;
    },
  };
}

/** The service worker: one script without imports, at an address that never changes, beside the built client. */
export default defineConfig({
  plugins: [knowsTheBuild()],
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
