import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { GraphiQL } from 'graphiql';
import { type ComponentProps, useCallback } from 'react';
import { createRoot } from 'react-dom/client';
import { shopName } from '~/ui/shop-name';
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './workbench.css';
import { AccountSwitch } from './account-switch';
import { CopyLink } from './copy-link';
import { examples } from './examples';
import { EXAMPLES } from './examples-menu';
import { fetchGraphQL } from './fetch-graphql';
import { fillVariables } from './fill-variables';
import { isNarrow } from './narrow';
import { Panes } from './panes';
import { readShared } from './shared-query';
import { StatusBar } from './status-bar';
import { WhenReady } from './when-ready';
import { useWorkbench, WorkbenchProvider } from './workbench';

type Fetcher = ComponentProps<typeof GraphiQL>['fetcher'];

const element = document.getElementById('graphiql');
if (!element) throw new Error('graphiql.html has no #graphiql.');
const root: HTMLElement = element;

const open = () => {
  root.inert = false;
  root.ariaBusy = 'false';
};

// GraphiQL fills the first tab's query by itself but not its variables. Later visits open on what was left there.
const isFirstVisit = localStorage.getItem('graphiql:tabState') === null;

// A link is opened once: afterwards the tab is its reader's own, and reloading brings back what has become of it.
const shared = readShared(window.location.hash);
if (shared) window.history.replaceState(null, '', window.location.pathname);
window.addEventListener('hashchange', () => {
  if (readShared(window.location.hash)) window.location.reload();
});

const [welcome] = examples;
if (!welcome) throw new Error('There are no examples.');
const firstTab = shared ?? { query: welcome.query, variables: fillVariables(welcome, null, {}).text };
const firstVariables = shared || isFirstVisit ? (firstTab.variables ?? undefined) : undefined;
const plugins = [EXAMPLES, HISTORY_PLUGIN];
const firstPlugin = isNarrow() ? undefined : EXAMPLES;

function App() {
  const { note, pane } = useWorkbench();
  const fetcher = useCallback<Fetcher>(
    async (request, options) => {
      const answer = await fetchGraphQL(request, options?.headers);
      if (request.operationName !== 'IntrospectionQuery') note(request.query, answer);
      return answer as Awaited<ReturnType<Fetcher>>;
    },
    [note],
  );

  return (
    <GraphiQL
      fetcher={fetcher}
      plugins={plugins}
      visiblePlugin={firstPlugin}
      className={`shows-${pane}`}
      defaultTabs={[firstTab]}
      initialQuery={shared?.query}
      initialVariables={firstVariables}
      defaultEditorToolsVisibility="variables"
    >
      <GraphiQL.Logo>
        <AccountSwitch />
        <a className="shop" href="/">
          {shopName()}
        </a>
      </GraphiQL.Logo>
      <GraphiQL.Toolbar>
        {({ prettify, merge, copy }) => (
          <>
            {prettify}
            {merge}
            {copy}
            <CopyLink />
            <WhenReady operationName={shared?.operationName ?? null} onReady={open} />
          </>
        )}
      </GraphiQL.Toolbar>
      <div className="graphiql-container bars">
        <StatusBar />
        <Panes />
      </div>
    </GraphiQL>
  );
}

createRoot(root).render(
  <WorkbenchProvider>
    <App />
  </WorkbenchProvider>,
);
