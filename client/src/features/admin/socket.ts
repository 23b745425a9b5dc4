import { type ApolloClient, ApolloLink } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';

const LINGER_MS = 5_000;
const PING_MS = 20_000;
const LONGEST_WAIT_MS = 30_000;

const linked = new WeakSet<ApolloClient>();
const resumed = new Set<() => void>();

/** Twice as long after each failure, and never all clients at once. */
async function wait(retries: number) {
  const longest = Math.min(LONGEST_WAIT_MS, 500 * 2 ** retries);
  await new Promise((resolve) => setTimeout(resolve, longest * (0.5 + Math.random() / 2)));
}

/** Sends subscriptions through a socket, which opens with the first, outlives a change of screens and comes back by itself. */
export function withSocket(client: ApolloClient): void {
  if (linked.has(client)) return;
  linked.add(client);
  const address = new URL('/graphql', window.location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const socket = createClient({
    url: address.href,
    lazyCloseTimeout: LINGER_MS,
    keepAlive: PING_MS,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: wait,
    shouldRetry: () => true,
    on: {
      connected: (_socket, _payload, isAgain) => {
        if (isAgain) for (const tell of resumed) tell();
      },
    },
  });
  const bySocket = new GraphQLWsLink(socket);
  client.setLink(
    ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, bySocket, client.link),
  );
}

/** Called after a reconnection, because events in between were missed. */
export function onResumed(tell: () => void): () => void {
  resumed.add(tell);
  return () => {
    resumed.delete(tell);
  };
}
