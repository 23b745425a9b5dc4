import { forgetPerson, json, stored } from '~/ui/stored';
import { drawnFor } from './drawn-for';
import { needsSession } from './needs-session';
import type { StoredUser } from './stored-user';

const LIFETIME_MS = 86_400_000;

function isStoredUser(value: unknown): value is StoredUser {
  if (typeof value !== 'object' || value === null) return false;
  const user = value as Partial<Record<keyof StoredUser, unknown>>;
  return typeof user.id === 'string' && typeof user.name === 'string' && typeof user.expiresAt === 'number';
}

const ofUser = json(isStoredUser);

/** With the two of session/checkout-memory all that session and checkout keep in local storage. */
const kept = {
  user: stored('user', ofUser),
  expiredNotificationShown: stored('expiredNotificationShown'),
} as const;

type Listener = () => void;
interface Expiry {
  /** True once for each session, in whichever tab notices its end first. */
  tell: boolean;
  /** Where the screen needs a session, or the session ran out while it was looked at. */
  leadsHome: boolean;
}
type ExpiryListener = (expiry: Expiry) => void | Promise<void>;
const changed = new Set<Listener>();
const expired = new Set<ExpiryListener>();
let current: StoredUser | null = kept.user.read();
/** A session that ended before there was a listener; passed to the first one. */
let unheard: Pick<Expiry, 'tell'> | null = null;
let endedAtLoad = false;
/** Whether the last session of this document ended by itself, until the next one begins. */
let hasEnded = false;
/** Resolves when the listeners have shown the last end of a session. */
let announcing: Promise<unknown> = Promise.resolve();

function settle(user: StoredUser | null) {
  const isOther = current !== null && current.id !== user?.id;
  current = user;
  // A sign-out in another tab leaves to this one what only it has.
  if (isOther) forgetPerson('tab');
  for (const listener of changed) listener();
}

function announceExpiry(expiry: Expiry) {
  hasEnded = true;
  for (const listener of changed) listener();
  if (expired.size === 0) unheard = expiry;
  endedAtLoad = unheard !== null;
  announcing = Promise.all([...expired].map((listener) => listener(expiry)));
}

// The server draws the screens too, without a window.
globalThis.window?.addEventListener('storage', ({ key, newValue }) => {
  if (key !== 'user' && key !== null) return;
  const was = current;
  settle(newValue ? ofUser.parse(newValue) : null);
  if (was && !current && kept.expiredNotificationShown.read()) announceExpiry({ tell: false, leadsHome: true });
});

/** Beside the session's cookie, which no script can read, the server sets one that says until when it lasts. */
const hintName = () => (location.protocol === 'https:' ? '__Host-signedIn' : `signedIn-${location.port || '80'}`);
let hintIsFalse = false;

function hinted(): number | null {
  const hint = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${hintName()}=`));
  const until = Number(hint?.split('=')[1]);
  return until > Date.now() && !hintIsFalse ? until : null;
}

function isSame(one: StoredUser | null, other: StoredUser | null): boolean {
  return (['id', 'name', 'email', 'role'] as const).every((fact) => one?.[fact] === other?.[fact]);
}

/** Who is signed in, as this browser remembers it; shared by all its tabs. The cookie decides, this only shows. */
export const session = {
  user: () => current,

  /** A sign-in, sign-up or Google sign-in: the 24 hours begin now. */
  signIn(user: Omit<StoredUser, 'expiresAt'>) {
    if (current && current.id !== user.id) forgetPerson();
    const stored = { ...user, expiresAt: Date.now() + LIFETIME_MS };
    kept.user.write(stored);
    kept.expiredNotificationShown.write(null);
    unheard = null;
    endedAtLoad = false;
    hasEnded = false;
    hintIsFalse = false;
    settle(stored);
  },

  /** A session without a stored account: storage was cleared, or another window signed in. */
  isUnknown: () => current === null && hinted() !== null,

  /** The server's account for a session without a stored one; null when there is no session. */
  recall(user: Omit<StoredUser, 'expiresAt'> | null) {
    const expiresAt = hinted();
    hintIsFalse = !user;
    if (!user || !expiresAt) {
      settle(null);
      return;
    }
    const stored = { ...user, expiresAt };
    kept.user.write(stored);
    settle(stored);
  },

  /** As the server rendered the page: public, or for one account. */
  drawnFor(): StoredUser | null {
    const drawn = drawnFor();
    return isSame(current, drawn) ? current : drawn;
  },

  /** The page was rendered for an account that this browser may have forgotten; compared with storage later. */
  adoptRenderedUser() {
    const drawn = drawnFor();
    if (!drawn || current) return;
    kept.user.write(drawn);
    settle(drawn);
  },

  /** What the profile says now; the session ends when it would have ended. */
  replace(user: Omit<StoredUser, 'expiresAt'>) {
    if (!current) return;
    const stored = { ...user, expiresAt: current.expiresAt };
    kept.user.write(stored);
    settle(stored);
  },

  signOut() {
    document.cookie = `${hintName()}=; Max-Age=0; Path=/`;
    forgetPerson();
    settle(null);
  },

  /** Ends a session that ran out, `isNow` before the user's eyes, or that no longer exists on the server. */
  expire({ isNow = false } = {}) {
    if (!current) return;
    const tell = !kept.expiredNotificationShown.read();
    // Before the user is removed, so that other tabs show the reason.
    kept.expiredNotificationShown.write('true');
    session.signOut();
    announceExpiry({ tell, leadsHome: isNow || needsSession() });
  },

  /** Whether the session ended while the page was loading; true once. */
  endedAtLoad() {
    const ended = endedAtLoad;
    endedAtLoad = false;
    return ended;
  },

  /** Whether the user is signed out because a session ended by itself. */
  hasEnded: () => hasEnded && current === null,

  /** Resolves when the end of the session has been announced, in whichever tab shows it. */
  announced: () => announcing,

  isOver: (now = Date.now()) => current !== null && now > current.expiresAt,

  subscribe(listener: Listener) {
    changed.add(listener);
    return () => {
      changed.delete(listener);
    };
  },

  /** Calls the listener at each end of a session, at once for one without a listener so far. */
  onExpired(listener: ExpiryListener) {
    expired.add(listener);
    if (unheard) announcing = Promise.resolve(listener({ ...unheard, leadsHome: needsSession() }));
    unheard = null;
    return () => {
      expired.delete(listener);
    };
  },
};
