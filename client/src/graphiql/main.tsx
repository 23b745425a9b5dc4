import { GraphiQL } from 'graphiql';
import { createRoot } from 'react-dom/client';
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import './workbench.css';
import { examples } from './examples';
import { fetchGraphQL } from './fetch-graphql';

const root = document.getElementById('graphiql');
if (!root) throw new Error('graphiql.html has no #graphiql.');

// GraphiQL fills the first tab's query by itself but not its variables. Later visits open on what was left there.
const isFirstVisit = localStorage.getItem('graphiql:tabState') === null;

createRoot(root).render(
  <GraphiQL
    fetcher={fetchGraphQL}
    defaultTabs={examples}
    initialVariables={isFirstVisit ? (examples[0]?.variables ?? undefined) : undefined}
    defaultEditorToolsVisibility="variables"
  >
    <GraphiQL.Logo>
      <a className="shop" href="/">
        Minimal
      </a>
    </GraphiQL.Logo>
  </GraphiQL>,
);
