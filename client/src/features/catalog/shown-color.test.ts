import { expect, test } from 'vitest';
import { shownColor } from './shown-color';

const colors = [
  { id: 'c1', name: 'White', family: 'White' },
  { id: 'c2', name: 'Light Blue', family: 'Blue' },
  { id: 'c3', name: 'Indigo', family: 'Blue' },
  { id: 'c4', name: 'Soot', family: 'Black' },
];

test.each([
  ['nothing in particular', [], null, 'c1'],
  ['a family', ['Black'], null, 'c4'],
  ['a family that it does not come in', ['Green'], null, 'c1'],
  ['two families', ['Black', 'Blue'], null, 'c2'],
  ['a family by a word of the search', [], 'black shirt', 'c4'],
  ['a name by words of the search', [], 'shirt LIGHT  blue', 'c2'],
  ['a name of another color of the family', [], 'indigo', 'c3'],
  ['words that are about no color', [], 'oxford', 'c1'],
  ['a family within a search', ['Blue'], 'indigo or black', 'c3'],
])('a list of %s shows that color', (_, families, searched, shown) => {
  expect(shownColor(colors, families, searched)).toBe(shown);
});

test('a product without colors has none to show', () => {
  expect(shownColor([], ['Black'], 'black')).toBeUndefined();
});
