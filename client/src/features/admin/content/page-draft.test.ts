import { expect, it } from 'vitest';
import type { PageDraftFragment } from './content.generated';
import { draftOf, type KindForm, nameOf, newBlock, pageInput } from './page-draft';

type Field = KindForm['fields'][number];

function field(name: string, control: Field['control'], more: Partial<Field> = {}): Field {
  return {
    name,
    control,
    label: name,
    description: '',
    isRequired: false,
    longest: null,
    least: null,
    most: null,
    initial: null,
    options: [],
    partLabel: null,
    parts: [],
    ...more,
  };
}

const kind = (key: string, typeName: string, ...fields: KindForm['fields']): KindForm => ({
  key,
  typeName,
  label: key,
  description: '',
  fields,
});

const slide = [field('heading', 'TEXT'), field('picture', 'PICTURE'), field('link', 'LINK')];
const kinds = [
  kind('hero', 'HeroBlock', field('slides', 'PARTS', { parts: slide, least: 1, most: 8, partLabel: 'Slide' })),
  kind(
    'shelf',
    'ShelfBlock',
    field('heading', 'TEXT'),
    field('department', 'DEPARTMENT'),
    field('onlySale', 'FLAG'),
    field('sort', 'CHOICE', { initial: 'FEATURED' }),
    field('most', 'NUMBER', { initial: '4', least: 1, most: 12 }),
  ),
  kind('freeText', 'FreeTextBlock', field('text', 'MARKDOWN')),
];

const image = { __typename: 'Image', imageId: 'i1', alt: 'A field', thumbnail: '/images/i1/360.webp' };
const page = {
  draft: {
    title: 'Our cotton',
    description: 'Where it grows.',
    blocks: [
      { __typename: 'HeroBlock', slides: [{ heading: 'Picked', picture: image, link: '/sale' }] },
      { __typename: 'ShelfBlock', heading: '', department: 'men', onlySale: true, sort: 'NEWEST', most: 8 },
      { __typename: 'FreeTextBlock', text: { source: 'Washed *cold*.' } },
    ],
  },
} as unknown as PageDraftFragment;

it('sends what it was given, field by field, as the schema takes it', () => {
  const draft = draftOf(page, kinds);

  expect(pageInput(draft, kinds)).toEqual({
    title: 'Our cotton',
    description: 'Where it grows.',
    blocks: [
      { hero: { slides: [{ heading: 'Picked', picture: { imageId: 'i1', alt: 'A field' }, link: '/sale' }] } },
      { shelf: { heading: '', department: 'men', onlySale: true, sort: 'NEWEST', most: 8 } },
      { freeText: { text: 'Washed *cold*.' } },
    ],
  });
});

it('begins a block with what its kind says', () => {
  const blocks = kinds.map(newBlock);

  expect(pageInput({ title: '', description: '', blocks }, kinds).blocks).toEqual([
    { hero: { slides: [{ heading: '', picture: null, link: '' }] } },
    { shelf: { heading: '', department: '', onlySale: false, sort: 'FEATURED', most: 4 } },
    { freeText: { text: '' } },
  ]);
});

it('tells blocks of one kind apart by their first words', () => {
  expect(draftOf(page, kinds).blocks.map((block) => nameOf(block, kinds))).toEqual([
    'hero: Picked',
    'shelf',
    'freeText: Washed *cold*.',
  ]);
});
