import { useApolloClient } from '@apollo/client/react';
import { useEffect, useEffectEvent } from 'react';
import { AdminEventsDocument, type AdminEventsSubscription } from './events.generated';
import { onResumed, withSocket } from './socket';

export type AdminEvent = AdminEventsSubscription['adminEvents'];

/** The context of a query that events ask anew: a question that is under way may have been answered before them. */
export const withoutDeduplication = { queryDeduplication: false };

const AGAIN_MS = 5_000;
const listening = new Set<(event: AdminEvent) => void>();

function tell(event: AdminEvent) {
  for (const listener of listening) listener(event);
}

/** Lets every part of the back office that shows counts or news read them anew, as after a change made here. */
export function refetchAll(): void {
  tell({ __typename: 'EventsMissed', ok: true });
}

/** Subscribes to the server's events for this window; `onEnded` when this account may no longer receive them. */
export function useAdminEventSource(onEnded: () => void): void {
  const client = useApolloClient();
  const ended = useEffectEvent(onEnded);

  useEffect(() => {
    let stream: { unsubscribe: () => void } | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;

    function listen() {
      stream = client.subscribe({ query: AdminEventsDocument }).subscribe({
        next: ({ data }) => {
          if (data) tell(data.adminEvents);
        },
        error: stopped,
        complete: stopped,
      });
    }

    function stopped() {
      ended();
      clearTimeout(again);
      again = setTimeout(() => {
        listen();
        refetchAll();
      }, AGAIN_MS);
    }

    withSocket(client);
    listen();
    const forget = onResumed(refetchAll);
    return () => {
      clearTimeout(again);
      forget();
      stream?.unsubscribe();
    };
  }, [client]);
}

/**
 * Calls back with each event of the back office while the component is shown, from a new order to `EventsMissed`,
 * after which everything shown may be out of date.
 */
export function useAdminEvents(onEvent: (event: AdminEvent) => void): void {
  const heard = useEffectEvent(onEvent);

  useEffect(() => {
    const listener = (event: AdminEvent) => heard(event);
    listening.add(listener);
    return () => {
      listening.delete(listener);
    };
  }, []);
}
