import { ApolloProvider } from '@apollo/client/react';
import { BrowserRouter } from 'react-router';
import { makeClient } from './apollo';
import { AppRoutes } from './router';

const client = makeClient();

export function App() {
  return (
    <ApolloProvider client={client}>
      <BrowserRouter>
        <AppRoutes />
      </BrowserRouter>
    </ApolloProvider>
  );
}
