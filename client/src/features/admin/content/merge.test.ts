import { expect, it } from 'vitest';
import { differences, merge } from './merge';
import type { BlockDraft, KindForm, PageDraft } from './page-draft';

const field = {
  name: 'text',
  label: 'Text',
  description: '',
  control: 'MARKDOWN' as const,
  isRequired: true,
  longest: 20_000,
  least: null,
  most: null,
  initial: null,
  options: [],
  partLabel: null,
  parts: [],
};
const kinds: KindForm[] = [
  { key: 'freeText', typeName: 'FreeTextBlock', label: 'Free text', description: '', fields: [field] },
];

let keys = 0;
/** A page whose blocks say these words; "a=b" has the key a. */
function page(words: string, title = 'Cotton'): PageDraft {
  const blocks = words
    .split(' ')
    .filter(Boolean)
    .map((word): BlockDraft => {
      const [key = '', text] = word.includes('=') ? word.split('=') : [`new-${(keys += 1)}`, word];
      return { key, kind: 'freeText', values: { text: text ?? '' } };
    });
  return { title, description: '', blocks };
}

const said = ({ blocks }: PageDraft) => blocks.map(({ values }) => String(values['text'])).join(' ');
const base = page('a=one b=two c=three');

// spec: guards.draft
it.each([
  ['nothing of mine', 'a=one b=two c=three', 'one TWO three', 'one TWO three'],
  ['nothing of theirs', 'a=one b=TWO c=three', 'one two three', 'one TWO three'],
  ['different blocks', 'a=ONE b=two c=three', 'one two THREE', 'ONE two THREE'],
  ['the same block, alike', 'a=one b=TWO c=three', 'one TWO three', 'one TWO three'],
  ['the same block: both are kept', 'a=one b=MINE c=three', 'one THEIRS three', 'one THEIRS MINE three'],
  ['both added', 'a=one x=mine b=two c=three', 'one two three theirs', 'one mine two three theirs'],
  ['I removed, they added', 'a=one c=three', 'one two three theirs', 'one three theirs'],
  ['they removed, I added', 'a=one b=two c=three x=mine', 'one three', 'one three mine'],
  ['I removed what they changed', 'a=one c=three', 'one TWO three', 'one TWO three'],
  ['they removed what I changed', 'a=one b=TWO c=three', 'one three', 'one TWO three'],
  ['I moved, they changed', 'c=three a=one b=two', 'one TWO three', 'three one TWO'],
  ['they moved, I changed', 'a=one b=TWO c=three', 'three one two', 'three one TWO'],
])('merges two drafts: %s', (_case, mine, theirs, merged) => {
  expect(said(merge(base, page(mine), page(theirs), kinds))).toBe(merged);
});

const title = (mine: string, theirs: string) => merge(base, page('', mine), page('', theirs), kinds).title;

it('takes the title of whoever changed it, mine where both did', () => {
  expect([title('Mine', 'Cotton'), title('Cotton', 'Theirs'), title('Mine', 'Theirs')]).toEqual([
    'Mine',
    'Theirs',
    'Mine',
  ]);
});

it('names what differs', () => {
  expect(differences(base, base, kinds)).toEqual([]);
  expect(differences(base, page('c=three b=TWO x=four', 'Linen'), kinds)).toEqual([
    'Title',
    'Free text: four added',
    'Free text: TWO',
    'Free text: one removed',
    'Order of blocks',
  ]);
});
