/** The shop's own files: the same for every visitor, and no sign of what one of them has seen. */
export const FILES = 'minimal-files';
/** Pages that were opened. */
export const PAGES = 'minimal-pages';
/** Caches that reveal what a user has looked at, by kind. */
export const SEEN_CACHES = { pages: PAGES, pictures: 'minimal-pictures', answers: 'minimal-answers' } as const;
/** Where the service worker leads when there is neither network nor a kept page. */
export const OFFLINE = '/offline';
/** The header under which a kept page has its title. */
export const TITLE = 'x-title';
