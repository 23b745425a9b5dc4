import { expect, it } from 'vitest';
import { reorder } from './reorder';

const list = (keys: string) => [...keys].map((key) => ({ key }));
const after = (key: string, onto: string) =>
  reorder(list('abcd'), key, onto)
    .map((item) => item.key)
    .join('');

it.each([
  ['a', 'c', 'bcad'],
  ['d', 'a', 'dabc'],
  ['b', 'b', 'abcd'],
  ['x', 'a', 'abcd'],
  ['a', 'x', 'abcd'],
])('%s at the place of %s gives %s', (key, onto, expected) => {
  expect(after(key, onto)).toBe(expected);
});
