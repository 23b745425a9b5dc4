import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './workbench.css';
import { CopyLink } from './copy-link';
import { examples } from './examples';
import { fetchGraphQL } from './fetch-graphql';
import { readShared } from './shared-query';
import { WhenReady } from './when-ready';

const root = document.getElementById('graphiql');
if (!root) throw new Error('graphiql.html has no #graphiql.');

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

const tabs = shared ? [shared, ...examples] : examples;
const firstVariables = shared || isFirstVisit ? (tabs[0]?.variables ?? undefined) : undefined;

createRoot(root).render(
  <GraphiQL
    fetcher={fetchGraphQL}
    defaultTabs={tabs}
    initialQuery={shared?.query}
    initialVariables={firstVariables}
    defaultEditorToolsVisibility="variables"
  >
    <GraphiQL.Logo>
      <a className="shop" href="/">
        Minimal
      </a>
    </GraphiQL.Logo>
    <GraphiQL.Toolbar>
      {({ prettify, merge, copy }) => (
        <>
          {prettify}
          {merge}
          {copy}
          <CopyLink />
          <WhenReady onReady={open} />
        </>
      )}
    </GraphiQL.Toolbar>
  </GraphiQL>,
);
