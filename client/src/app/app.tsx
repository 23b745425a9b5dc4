import type { ApolloClient } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { BrowserRouter } from 'react-router';
import { AppRoutes } from './router';
import { ScreenBoundary } from './screen-boundary';

export function App({ client }: { client: ApolloClient }) {
  return (
    <ApolloProvider client={client}>
      <BrowserRouter>
        <ScreenBoundary>
          <AppRoutes />
        </ScreenBoundary>
      </BrowserRouter>
    </ApolloProvider>
  );
}
