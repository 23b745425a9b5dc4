import { expect, it, test } from 'vitest';
import { linesOf, parseLines, wrongLine } from './size-lines';

const shoes = [
  {
    name: '38',
    labels: [
      { market: 'UK', name: '5' },
      { market: 'US women', name: '7.5' },
    ],
  },
  { name: 'One size', labels: [] },
];

test('lines are read as they are written', () => {
  expect(linesOf(shoes)).toBe('38 = UK 5, US women 7.5\nOne size');
  expect(parseLines(linesOf(shoes)).value).toEqual(shoes);
  expect(parseLines('\n 38=UK 5 ,US women  7.5\n\n One size \n').value).toEqual(shoes);
});

it.each(['38 = 5', '38 = UK 5, ', '= UK 5', '38 = UK 5 = US 7'])('does not guess what %o means', (line) => {
  expect(parseLines(`36\n${line}`).invalid).toBe(true);
  expect(wrongLine(`36\n${line}`)).toBe(line.trim());
});
