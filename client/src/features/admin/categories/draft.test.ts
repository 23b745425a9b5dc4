import { describe, expect, it } from 'vitest';
import { changesBetween, type Draft, hyphenated, neighbourAfter, rebase } from './draft';

const jeans: Draft = {
  name: 'Jeans',
  heading: '',
  slug: 'jeans',
  isHidden: false,
  measurementPoints: ['WAIST', 'INSEAM'],
  sizeSystem: 'letters',
  description: '',
  picture: null,
  gender: '',
  ageGroup: 'ADULT',
};

describe('changes of a category', () => {
  it('are named with what was and what is', () => {
    const after: Draft = { ...jeans, slug: 'denim', isHidden: true, measurementPoints: ['INSEAM', 'WAIST'] };

    expect(changesBetween(jeans, after)).toEqual([
      { key: 'slug', label: 'address', from: 'jeans', to: 'denim' },
      { key: 'isHidden', label: 'visibility', from: 'shown', to: 'hidden' },
      { key: 'measurementPoints', label: 'measuring points', from: 'Waist, Inseam', to: 'Inseam, Waist' },
    ]);
    expect(changesBetween(jeans, { ...jeans })).toEqual([]);
    expect(changesBetween(jeans, { ...jeans, description: 'Raw.', picture: { id: 'i1', src: '/i1.webp' } })).toEqual([
      { key: 'description', label: 'words' },
      { key: 'picture', label: 'picture' },
    ]);
  });

  it('are laid over those that were saved meanwhile', () => {
    const mine: Draft = { ...jeans, name: 'Denim', slug: 'denim' };
    const theirs: Draft = { ...jeans, name: 'Pants', heading: 'Raw', isHidden: true };

    expect(rebase(jeans, mine, theirs)).toEqual({ ...theirs, name: 'Denim', slug: 'denim' });
  });
});

it.each([
  ['Sun hats', 'sun-hats'],
  ["Men's  Überhemden & more", 'mens-uberhemden-more'],
  ['  ', ''],
])('makes the key of %j from its words', (name, key) => {
  expect(hyphenated(name)).toBe(key);
});

it('finds what stands after a moved one', () => {
  expect(neighbourAfter(['a', 'b', 'c'], 'b')).toBe('c');
  expect(neighbourAfter(['a', 'b', 'c'], 'c')).toBeNull();
});
