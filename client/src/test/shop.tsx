import { ApolloProvider } from '@apollo/client/react';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { GraphQLError } from 'graphql';
import { HttpResponse, type RequestHandler } from 'msw';
import { graphql, type GraphQLResponseResolver } from 'msw/graphql';
import { setupServer } from 'msw/node';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { makeClient } from '~/app/apollo';
import { toastQueue } from '~/ui/toast';

const endpoint = 'http://shop.test/graphql';
const link = graphql.link(endpoint);

type Reply = GraphQLResponseResolver<Record<string, unknown>, Record<string, unknown>>;

/** A server that answers by operation name; what a test did not foresee fails it. */
export function shopServer() {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterEach(() => {
    server.resetHandlers();
    toastQueue.clear();
  });
  afterAll(() => server.close());

  return {
    /** Answers what is no GraphQL, or answers by turns. */
    use: (...handlers: RequestHandler[]) => server.use(...handlers),
    /** Answers an operation; the returned list grows by the variables of each request. */
    answer(operation: string, data: Record<string, unknown>) {
      const asked: Record<string, unknown>[] = [];
      const reply: Reply = ({ variables }) => {
        asked.push(variables);
        return HttpResponse.json({ data });
      };
      server.use(link.query(operation, reply), link.mutation(operation, reply));
      return asked;
    },
    /** Leaves an operation without an answer for now; call what it returns to let it be answered. */
    hold(operation: string, data: Record<string, unknown>) {
      let release: (() => void) | undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const reply: Reply = async () => {
        await released;
        return HttpResponse.json({ data });
      };
      server.use(link.query(operation, reply), link.mutation(operation, reply));
      return () => release?.();
    },
    fail(operation: string, code: string) {
      const reply: Reply = () =>
        HttpResponse.json({ errors: [new GraphQLError('Refused.', { extensions: { code } })] });
      server.use(link.query(operation, reply), link.mutation(operation, reply));
    },
  };
}

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{pathname + search}</output>;
}

/** Shows a part of the shop at an address, with its client and the address it is at. */
export function renderShop(children: ReactNode, at = '/') {
  const client = makeClient(endpoint);
  const view = render(
    <ApolloProvider client={client}>
      <MemoryRouter initialEntries={[at]}>
        {children}
        <Address />
      </MemoryRouter>
    </ApolloProvider>,
  );
  return { ...view, client, user: userEvent.setup() };
}
