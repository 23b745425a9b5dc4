interface Place {
  /** `tab` ends with the tab, `browser` is shared by all of them. */
  in: 'browser' | 'tab';
  /** What is the person's goes at Sign Out, what is the browser's stays. */
  of: 'person' | 'browser';
}

/** Everything that the shop keeps in a browser's storage; GraphiQL's own keys begin with `graphiql:`. */
export const KEPT = {
  user: { in: 'browser', of: 'person' },
  checkoutAddressId: { in: 'browser', of: 'person' },
  // What was told and what was processed is not told or processed again by the next one.
  expiredNotificationShown: { in: 'browser', of: 'browser' },
  processedPaymentSessionId: { in: 'browser', of: 'browser' },
  'minimal:wishlist': { in: 'browser', of: 'person' },
  'minimal:wishlist-colors': { in: 'browser', of: 'person' },
  'minimal:recently-viewed': { in: 'browser', of: 'person' },
  'minimal:theme': { in: 'browser', of: 'browser' },
  'minimal:list-view': { in: 'browser', of: 'browser' },
  'minimal:units': { in: 'browser', of: 'browser' },
  'minimal:address-draft': { in: 'tab', of: 'person' },
  'minimal:visit': { in: 'tab', of: 'person' },
  'minimal:toasts': { in: 'tab', of: 'person' },
  'minimal:reloaded-for': { in: 'tab', of: 'browser' },
} as const satisfies Record<string, Place>;

export type Key = keyof typeof KEPT;

const listeners = new Map<string, Set<() => void>>();

const areaOf = (key: Key): Storage => (KEPT[key].in === 'tab' ? sessionStorage : localStorage);

function tell(key: string | null) {
  for (const [name, callbacks] of listeners)
    if (key === null || key === name) for (const listener of callbacks) listener();
}

// The server draws the screens too, without a window.
globalThis.window?.addEventListener('storage', ({ key }) => tell(key));

/** How a value is written, and read back; null for text that is no such value, as of an older version. */
export interface Codec<Value> {
  parse: (text: string) => Value | null;
  print: (value: Value) => string;
}

const plain: Codec<string> = { parse: String, print: String };

/** One of a few words. */
export function oneOf<Word extends string>(...words: readonly Word[]): Codec<Word> {
  return { parse: (text) => words.find((word) => word === text) ?? null, print: String };
}

/** A value of JSON that passes the check. */
export function json<Value>(isValue: (value: unknown) => value is Value): Codec<Value> {
  return {
    parse: (text) => {
      try {
        const value: unknown = JSON.parse(text);
        return isValue(value) ? value : null;
      } catch {
        return null;
      }
    },
    print: (value) => JSON.stringify(value),
  };
}

function textOf(key: Key): string | null {
  try {
    return areaOf(key).getItem(key);
  } catch {
    return null;
  }
}

/** One entry of the storage. A browser that forbids storage reads null and keeps nothing. */
export function stored(key: Key): ReturnType<typeof storedAs<string>>;
export function stored<Value>(key: Key, codec: Codec<Value>): ReturnType<typeof storedAs<Value>>;
export function stored(key: Key, codec: Codec<string> = plain) {
  return storedAs(key, codec);
}

function storedAs<Value>(key: Key, { parse, print }: Codec<Value>) {
  let last: { text: string | null; value: Value | null } = { text: null, value: null };

  return {
    /** The same object while nothing changes. */
    read(): Value | null {
      const text = textOf(key);
      if (text !== last.text) last = { text, value: text === null ? null : parse(text) };
      return last.value;
    },

    write(value: Value | null) {
      try {
        if (value === null) areaOf(key).removeItem(key);
        else areaOf(key).setItem(key, print(value));
      } catch {
        // Forbidden or full: what it is for holds until the page is left.
      }
      tell(key);
    },

    /** Calls back after each change, in whichever tab. */
    subscribe(listener: () => void) {
      const callbacks = listeners.get(key) ?? new Set();
      listeners.set(key, callbacks.add(listener));
      return () => {
        callbacks.delete(listener);
      };
    },
  };
}

/** Removes what belongs to the person who has used this browser, or this tab of it, until now. */
export function forgetPerson(where: Place['in'] = 'browser') {
  for (const key of Object.keys(KEPT) as Key[]) {
    const { in: place, of } = KEPT[key];
    if (of === 'person' && (where === 'browser' || place === 'tab')) stored(key).write(null);
  }
}
