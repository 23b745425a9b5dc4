import type { BlockInput, UpdatePageInput } from '~/graphql/schema.generated';
import { randomId } from '~/ui/random-id';
import type { BlockFieldFormFragment, BlockKindFormFragment, PageDraftFragment } from './content.generated';

export type FieldForm = BlockFieldFormFragment & { parts?: readonly BlockFieldFormFragment[] };
export type KindForm = BlockKindFormFragment;

/** An uploaded picture as its form holds it. */
export interface PictureValue {
  imageId: string;
  alt: string;
  /** The address of what the form shows. */
  src: string;
}

/** A slide, a question: what a block has several of. `key` stays while others come and go. */
export interface PartDraft {
  key: string;
  values: Values;
}

export type Value = string | boolean | PictureValue | null | readonly PartDraft[];
export type Values = Readonly<Record<string, Value>>;

export interface BlockDraft extends PartDraft {
  /** Its field in `BlockInput`. */
  kind: string;
}

/** A page as its form holds it. */
export interface PageDraft {
  title: string;
  description: string;
  blocks: readonly BlockDraft[];
}

type Stored = Readonly<Record<string, unknown>>;

function valueOf(field: FieldForm, stored: unknown): Value {
  switch (field.control) {
    case 'MARKDOWN':
      return (stored as { source: string }).source;
    case 'NUMBER':
      return String(stored);
    case 'FLAG':
      return stored === true;
    case 'PICTURE': {
      const image = stored as { imageId: string; alt: string; thumbnail: string } | null;
      return image && { imageId: image.imageId, alt: image.alt, src: image.thumbnail };
    }
    case 'PARTS':
      return (stored as Stored[]).map((part) => ({ key: randomId(), values: valuesOf(field.parts ?? [], part) }));
    default:
      return stored as string;
  }
}

// What a block answers has the fields that its kind declares; the document selects them all (see page-draft.test.ts).
const valuesOf = (fields: readonly FieldForm[], stored: Stored): Values =>
  Object.fromEntries(fields.map((field) => [field.name, valueOf(field, stored[field.name])]));

/** The draft of a page; blocks of a kind that this client does not know are left out by the server. */
export function draftOf({ draft }: PageDraftFragment, kinds: readonly KindForm[]): PageDraft {
  return {
    title: draft.title,
    description: draft.description,
    blocks: draft.blocks.flatMap((block) => {
      const kind = kinds.find(({ typeName }) => typeName === block.__typename);
      return kind ? [{ key: randomId(), kind: kind.key, values: valuesOf(kind.fields, block) }] : [];
    }),
  };
}

function emptyValue(field: FieldForm): Value {
  switch (field.control) {
    case 'FLAG':
      return false;
    case 'PICTURE':
      return null;
    case 'PARTS':
      return Array.from({ length: field.least ?? 0 }, () => newPart(field.parts ?? []));
    default:
      return field.initial ?? '';
  }
}

/** A slide, a question without words. */
export const newPart = (fields: readonly FieldForm[]): PartDraft => ({
  key: randomId(),
  values: Object.fromEntries(fields.map((field) => [field.name, emptyValue(field)])),
});

/** A block without words. */
export const newBlock = (kind: KindForm): BlockDraft => ({ ...newPart(kind.fields), kind: kind.key });

function inputValue(field: FieldForm, value: Value | undefined): unknown {
  switch (field.control) {
    case 'NUMBER':
      return Number(value);
    case 'PICTURE': {
      const picture = value as PictureValue | null;
      return picture && { imageId: picture.imageId, alt: picture.alt };
    }
    case 'PARTS':
      return (value as readonly PartDraft[]).map((part) => inputValues(field.parts ?? [], part.values));
    default:
      return value;
  }
}

const inputValues = (fields: readonly FieldForm[], values: Values) =>
  Object.fromEntries(fields.map((field) => [field.name, inputValue(field, values[field.name])]));

/** What a block says, without the keys of this form. */
export const blockInput = ({ kind, values }: BlockDraft, kinds: readonly KindForm[]) => ({
  [kind]: inputValues(kinds.find(({ key }) => key === kind)?.fields ?? [], values),
});

/** A page as the schema takes it. Which fields its blocks have is known at run time only, from the schema itself. */
export const pageInput = ({ title, description, blocks }: PageDraft, kinds: readonly KindForm[]): UpdatePageInput => ({
  title,
  description,
  blocks: blocks.map((block) => blockInput(block, kinds) as unknown as BlockInput),
});

/** The first words of a block, to tell it from others of its kind. */
export function wordsOf(fields: readonly FieldForm[], values: Values): string {
  for (const { name, control, parts = [] } of fields) {
    const value = values[name];
    const words =
      control === 'PARTS'
        ? (value as readonly PartDraft[])
            .map((part) => wordsOf(parts, part.values))
            .filter(Boolean)
            .join(', ')
        : (control === 'TEXT' || control === 'MARKDOWN') && String(value).trim();
    if (words) return words;
  }
  return '';
}

const LONGEST_NAME = 40;

/** What a block is called where its page is not seen: "Quotation: It lasts." */
export function nameOf(block: BlockDraft, kinds: readonly KindForm[]): string {
  const kind = kinds.find(({ key }) => key === block.kind);
  if (!kind) return block.kind;
  const words = wordsOf(kind.fields, block.values);
  return words ? `${kind.label}: ${words.slice(0, LONGEST_NAME)}` : kind.label;
}
