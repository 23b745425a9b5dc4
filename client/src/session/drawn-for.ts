import type { StoredUser } from './stored-user';

const text = globalThis.document?.getElementById('drawn-for')?.textContent;
const user = text ? (JSON.parse(text) as StoredUser) : null;

/** Whom the server drew this page for; null when it is the same for everybody. */
export const drawnFor = (): StoredUser | null => user;
