import { ApolloLink } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { StrictMode } from 'react';
import { RouterProvider } from 'react-router/dom';
import { makeClient } from '~/app/apollo';
import { reloadForMissingChunks } from '~/app/reload-once';
import { createRoot } from '~/react';
import { makeRouter } from './router';
import { unattended } from './unattended';
import '~/ui/fonts/fonts.css';
import '~/ui/tokens.css';
import '~/ui/base.css';
import '~/ui/text.css';

const root = document.getElementById('root');
if (!root) throw new Error('back-office.html has no #root.');

reloadForMissingChunks(import.meta.url);

const client = makeClient();
client.setLink(ApolloLink.from([unattended, client.link]));

/** An error that a boundary has caught is reported as if it had not been: public/early.js listens. */
createRoot(root, { onCaughtError: reportError }).render(
  <StrictMode>
    <ApolloProvider client={client}>
      <RouterProvider router={makeRouter()} />
    </ApolloProvider>
  </StrictMode>,
);
