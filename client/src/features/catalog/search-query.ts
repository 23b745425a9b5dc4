/** Fewer letters are not searched for. */
export const MIN_LETTERS = 2;

/** The page of everything that a query finds. */
export const allResults = (text: string) => `/search?${new URLSearchParams({ q: text.trim() })}`;
