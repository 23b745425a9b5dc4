import { shopName } from './shop-name';

/** What a page is called in the window's title and in search results; the home page's own title is ''. */
export const titled = (page: string): string => (page && `${page} - `) + shopName();
