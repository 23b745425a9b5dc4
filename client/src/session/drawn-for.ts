import type { StoredUser } from './stored-user';

const text = globalThis.document?.getElementById('drawn-for')?.textContent;
const user = text ? (JSON.parse(text) as StoredUser) : null;

/** The account that the server rendered this page for; null for a public page. */
export const drawnFor = (): StoredUser | null => user;
