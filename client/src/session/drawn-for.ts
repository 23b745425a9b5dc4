import type { StoredUser } from './stored-user';

const said = globalThis.document?.getElementById('drawn-for')?.textContent;
const user = said ? (JSON.parse(said) as StoredUser) : null;

/** Whom the server drew this page for; null when it is the same for everybody. */
export const drawnFor = (): StoredUser | null => user;
