import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, minify, type Plugin, type ProxyOptions } from 'vite';
import { defineConfig } from 'vitest/config';

const testFiles = ['src/**/*.test.{ts,tsx}'];
const ownModules = ['src/app/injected.test.tsx', 'src/features/account/google-button.test.tsx', 'src/ui/toast.test.ts'];

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// What travels together: each file of its own costs a request and compresses worse.
const GROUPS = [
  { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\/|src\/react\.ts/ },
  // Small parts of every shelf, and what two screens or more would otherwise share in a file of a few lines.
  {
    name: 'cards',
    test: /errors\/ServerError|src\/(ui\/(without-script|picture|carousel|price|swatches|skeleton|tabs|texts|use-media|use-search-params|use-title|scheduling|lazy-when-idle|icons|error-note|live-region|choice|button|toast)|graphql\/(settled|catalogue)|features\/catalog\/(product-card|product-grid|section|texts|use-logged-failure)|session\/visit)[./]/,
  },
  // What it takes to choose a variant, on a product's page and in the cart.
  {
    name: 'choosing',
    test: /src\/(ui\/(stepper|size-tape)|features\/(catalog\/stock|cart\/(add-to-cart-button|texts)))[./]/,
  },
  // What a product's page gets later, of its sizes.
  { name: 'sizes', test: /src\/features\/catalog\/(system-tape|size-system|measurements-section)[./]/ },
  // Small parts of the screens further in, each of which would be a file or two that the first view has to name.
  {
    name: 'further',
    test: /src\/ui\/(screen|form-end|status|address-lines|questions|use-mailed-token)[./]|session\/(webauthn|checkout-memory)[./]|features\/account\/(passkey-answer|passkey\.generated|security-texts)[./]|routes\/(order|wishlist|close-ups)\.module/,
  },
  // What delivery costs and takes, in words: on a product's page, in help, and under every sum.
  { name: 'delivery', test: /src\/(ui\/sums|features\/help\/delivery)[./]/ },
];

/** In development Vite serves the page, so it says there what the shop's server says otherwise: where the stand-ins are. */
function standInsOfTheShop(): Plugin {
  const { PORT = '8000', OUTSIDE_PORT = String(Number(PORT) + 1), STRIPE_SECRET_KEY, GOOGLE_CLIENT_ID } = process.env;
  const outside = `http://localhost:${OUTSIDE_PORT}`;
  const stripe = STRIPE_SECRET_KEY ? '' : `<meta name="stripe-script" content="${outside}/stripe.js">`;
  const google = GOOGLE_CLIENT_ID ? '' : `<meta name="google-identity-script" content="${outside}/google/gsi.js">`;
  return {
    name: 'stand-ins-of-the-shop',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace('<!--outside-scripts-->', stripe + google),
  };
}

/** In development one server has both documents: below /admin it answers with the back office's. */
function backOfficeBelowAdmin(): Plugin {
  return {
    name: 'back-office-below-admin',
    apply: 'serve',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, _response, next) => {
        const isPage = request.headers.accept?.includes('text/html');
        if (isPage && /^\/admin(?=$|[/?])/.test(request.url ?? '')) request.url = '/back-office.html';
        next();
      });
    },
  };
}

/** A drawn page can be read before any script runs: styles, font and pictures go first. */
function scriptsYieldToTheView(): Plugin {
  return {
    name: 'scripts-yield-to-the-view',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace(/<(script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"'),
    },
  };
}

/** The first paint waits for it. */
function earlyScriptIsSmall(): Plugin {
  return {
    name: 'early-script-is-small',
    apply: 'build',
    async writeBundle({ dir }) {
      const file = `${dir}/early.js`;
      const { code } = await minify(file, await readFile(file, 'utf8'), { module: false });
      await writeFile(file, code);
    },
  };
}

const server = `http://127.0.0.1:${process.env.PORT ?? '8000'}`;

/** The shop takes sockets from its own pages only, and in development those are Vite's. */
const fromOurOwnPage: ProxyOptions['configure'] = (proxy) => {
  proxy.on('proxyReqWs', (toShop, fromPage) => {
    if (fromPage.headers.origin === `http://${fromPage.headers.host}`) toShop.setHeader('origin', server);
  });
};

export default defineConfig({
  plugins: [react(), scriptsYieldToTheView(), earlyScriptIsSmall(), standInsOfTheShop(), backOfficeBelowAdmin()],
  resolve: {
    alias: { '~routes': here('./routes.json'), '~': here('./src') },
    // RxJS keeps its untranspiled build, 3 KB smaller, behind a condition of its own.
    conditions: ['es2015', ...defaultClientConditions],
  },
  optimizeDeps: {
    exclude: ['graphiql/setup-workers/vite', '@graphiql/react/setup-workers/vite'],
  },
  build: {
    target: 'es2022',
    manifest: true,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: here('./index.html'),
      output: { codeSplitting: { groups: GROUPS } },
    },
  },
  server: {
    host: '127.0.0.1',
    port: Number(process.env.VITE_PORT ?? '5173'),
    fs: { allow: ['.', '../examples'] },
    proxy: {
      '/graphql': { target: server, ws: true, configure: fromOurOwnPage },
      '/api': server,
      '/images': server,
      '/uploads': server,
      '/events': server,
    },
  },
  test: {
    environment: 'jsdom',
    // Far from every shop's: what forgets a time zone shows another day.
    env: { TZ: 'Pacific/Auckland' },
    setupFiles: ['./src/test/setup.ts'],
    css: { modules: { classNameStrategy: 'non-scoped' } },
    restoreMocks: true,
    testTimeout: 20_000,
    // Files share the modules of their worker, which is four times as fast; these are about how a module begins.
    projects: [
      { extends: true, test: { name: 'shared', isolate: false, include: testFiles, exclude: ownModules } },
      { extends: true, test: { name: 'isolated', include: ownModules } },
    ],
  },
});
