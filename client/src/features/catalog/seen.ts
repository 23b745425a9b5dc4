import { keptIds } from './kept-ids';

/** Products whose pages this browser has shown. The list never leaves it. */
export const seen = keptIds('minimal:recently-viewed', 12);
