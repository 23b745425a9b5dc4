/** The four things that session and checkout keep in local storage; everything else lives with the server. */
const keys = {
  user: 'user',
  expiredNotificationShown: 'expiredNotificationShown',
  checkoutAddressId: 'checkoutAddressId',
  processedSessionId: 'processedPaymentSessionId',
} as const;

const LIFETIME_MS = 86_400_000;

export interface StoredUser {
  id: string;
  name: string;
  email: string;
  role: 'admin' | 'user';
  expiresAt: number;
}

function text(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function put(key: string, value: string | null) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // A browser that forbids storage gets a session that lasts as long as the page.
  }
}

function isStoredUser(value: unknown): value is StoredUser {
  if (typeof value !== 'object' || value === null) return false;
  const user = value as Partial<Record<keyof StoredUser, unknown>>;
  return typeof user.id === 'string' && typeof user.name === 'string' && typeof user.expiresAt === 'number';
}

function parse(json: string | null): StoredUser | null {
  if (!json) return null;
  try {
    const value: unknown = JSON.parse(json);
    return isStoredUser(value) ? value : null;
  } catch {
    return null;
  }
}

type Listener = () => void;
const changed = new Set<Listener>();
const expired = new Set<Listener>();
let current: StoredUser | null = parse(text(keys.user));

function settle(user: StoredUser | null) {
  current = user;
  for (const listener of changed) listener();
}

// The server draws the screens too, without a window.
globalThis.window?.addEventListener('storage', ({ key, newValue }) => {
  if (key === keys.user || key === null) settle(key === null ? null : parse(newValue));
});

/** Who is signed in, as this browser remembers it; shared by all its tabs. The cookie decides, this only shows. */
export const session = {
  user: () => current,

  /** A sign-in, sign-up or Google sign-in: the 24 hours begin now. */
  signIn(user: Omit<StoredUser, 'expiresAt'>) {
    const stored = { ...user, expiresAt: Date.now() + LIFETIME_MS };
    put(keys.user, JSON.stringify(stored));
    put(keys.expiredNotificationShown, null);
    settle(stored);
  },

  /** What the profile says now; the session ends when it would have ended. */
  replace(user: Omit<StoredUser, 'expiresAt'>) {
    if (!current) return;
    const stored = { ...user, expiresAt: current.expiresAt };
    put(keys.user, JSON.stringify(stored));
    settle(stored);
  },

  signOut() {
    put(keys.user, null);
    put(keys.checkoutAddressId, null);
    settle(null);
  },

  /** Ends a session that ran out or that the server no longer knows. Does nothing for a visitor. */
  expire() {
    if (!current) return;
    session.signOut();
    for (const listener of expired) listener();
  },

  isOver: (now = Date.now()) => current !== null && now > current.expiresAt,

  subscribe(listener: Listener) {
    changed.add(listener);
    return () => {
      changed.delete(listener);
    };
  },

  onExpired(listener: Listener) {
    expired.add(listener);
    return () => {
      expired.delete(listener);
    };
  },

  /** True the first time after a sign-in, in whichever tab asks first. */
  mayTellExpired() {
    if (text(keys.expiredNotificationShown)) return false;
    put(keys.expiredNotificationShown, 'true');
    return true;
  },
};

/** What the checkout remembers between its pages. */
export const checkoutMemory = {
  addressId: () => text(keys.checkoutAddressId),
  setAddressId: (id: string | null) => put(keys.checkoutAddressId, id),
  processedSessionId: () => text(keys.processedSessionId),
  setProcessedSessionId: (id: string) => put(keys.processedSessionId, id),
};
