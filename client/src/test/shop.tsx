import type { DocumentNode, OperationVariables, TypedDocumentNode } from '@apollo/client';
import { ApolloProvider } from '@apollo/client/react';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { GraphQLError } from 'graphql';
import { HttpResponse, type RequestHandler } from 'msw';
import { graphql, type GraphQLResponseResolver } from 'msw/graphql';
import { setupServer } from 'msw/node';
import type { ReactNode } from 'react';
import { createMemoryRouter, type InitialEntry, MemoryRouter, RouterProvider, useLocation } from 'react-router';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { makeClient } from '~/app/apollo';
import { nameOf } from '~/graphql/operation';
import { TimeZone } from '~/ui/time-zone';
import { toastQueue } from '~/ui/toast';

const endpoint = 'http://shop.test/graphql';
const link = graphql.link(endpoint);

type Reply = GraphQLResponseResolver<Record<string, unknown>, Record<string, unknown>>;

/** What a document asks for, with the `__typename` that Apollo asks for beside it. */
export type Answer<Data> = Data extends readonly (infer Item)[]
  ? readonly Answer<Item>[]
  : Data extends object
    ? { [Name in keyof Data]: Answer<Data[Name]> } & { __typename?: string }
    : Data;

/** A server that answers by document; what a test did not foresee fails it. */
export function shopServer() {
  const server = setupServer();
  beforeAll(() => server.listen({ onUnhandledFrame: 'error' }));
  afterEach(() => {
    server.resetHandlers();
    toastQueue.clear();
  });
  afterAll(() => server.close());

  function reply(document: DocumentNode, resolver: Reply) {
    const operation = nameOf(document);
    server.use(link.query(operation, resolver), link.mutation(operation, resolver));
  }

  return {
    /** Answers what is no GraphQL, or answers by turns. */
    use: (...handlers: RequestHandler[]) => server.use(...handlers),
    /** Answers an operation; the returned list grows by the variables of each request. */
    answer<Data extends object, Variables extends OperationVariables>(
      document: TypedDocumentNode<Data, Variables>,
      data: Answer<NoInfer<Data>>,
    ): Variables[] {
      const sent: Variables[] = [];
      reply(document, ({ variables }) => {
        sent.push(variables as Variables);
        return HttpResponse.json({ data: data as Record<string, unknown> });
      });
      return sent;
    },
    /** Leaves an operation without an answer for now; call what it returns to let it be answered. */
    hold<Data extends object, Variables extends OperationVariables>(
      document: TypedDocumentNode<Data, Variables>,
      data: Answer<NoInfer<Data>>,
    ): () => void {
      let release: (() => void) | undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      reply(document, async () => {
        await released;
        return HttpResponse.json({ data: data as Record<string, unknown> });
      });
      return () => release?.();
    },
    fail(document: DocumentNode, code: string) {
      reply(document, () => HttpResponse.json({ errors: [new GraphQLError('Refused.', { extensions: { code } })] }));
    },
  };
}

function Address() {
  const { pathname, search, state } = useLocation();
  return (
    <output data-testid="address" data-state={JSON.stringify(state)}>
      {pathname + search}
    </output>
  );
}

/** Shows a part of the shop at an address, with its client and the address it is at, days and times in a time zone. */
export function renderShop(children: ReactNode, at: InitialEntry = '/', timeZone = 'UTC') {
  const client = makeClient(endpoint);
  const view = render(
    <ApolloProvider client={client}>
      <MemoryRouter initialEntries={[at]}>
        <TimeZone name={timeZone}>{children}</TimeZone>
        <Address />
      </MemoryRouter>
    </ApolloProvider>,
  );
  return { ...view, client, user: userEvent.setup() };
}

/** Shows a part of the back office, whose router can hold a navigation up. */
export function renderScreen(children: ReactNode) {
  const view = render(
    <ApolloProvider client={makeClient(endpoint)}>
      <RouterProvider
        router={createMemoryRouter([{ path: '*', element: <TimeZone name="UTC">{children}</TimeZone> }])}
      />
    </ApolloProvider>,
  );
  return { ...view, user: userEvent.setup() };
}
