/** Matches text of which anything can be seen: no space, control, zero-width character or filler. */
export const visible = /[^\p{C}\p{Z}\u115F\u1160\u2800\u3164\uFFA0]/u;
