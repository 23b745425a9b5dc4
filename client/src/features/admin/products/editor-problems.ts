import { parseCents, parseWhole } from '~/ui/amount';
import { parseMoment } from '~/ui/moment';
import { cellOf, type EditorDraft } from './editor-draft';
import { cell } from './product-rules';
import { texts } from './texts';

const MOST = 9_999_999;
const isAmount = (text: string) => (parseCents(text) ?? 0) > 0;
const isCount = (text: string) => (parseWhole(text).value ?? Number.NaN) <= MOST;
const isMoment = (text: string) => !parseMoment(text).invalid;

/** Broken rules by field; a cell of the grid goes by its own key. */
export type Problems = Readonly<Record<string, string>>;

function ofGrid(draft: EditorDraft): [string, string][] {
  return draft.colors.flatMap((color) =>
    draft.sizes
      .filter((size) => !isCount(cellOf(draft, color, size).stock || '0'))
      .map((size): [string, string] => [cell(color, size), texts.invalidStock]),
  );
}

function ofLengths(draft: EditorDraft): [string, string][] {
  return Object.entries(draft.lengths).flatMap(([key, { typed, micrometers }]): [string, string][] =>
    typed.trim() && micrometers === null && draft.sizes.some((size) => key.endsWith(`.${size}`))
      ? [[key, texts.invalidLength]]
      : [],
  );
}

/** What keeps the form from being saved. `hadPictures`: a product that has none need not get its first one now. */
export function problemsOf(draft: EditorDraft, hadPictures: boolean): Problems {
  const names = draft.colors.map(({ name }) => name.trim().toLowerCase());
  const rules: [string, boolean, string][] = [
    ['name', draft.name.trim() === '', texts.nameRequired],
    ['subtitle', draft.subtitle.trim() === '', texts.subtitleRequired],
    ['description', draft.description.trim() === '', texts.descriptionRequired],
    ['details', draft.details.some(({ label, text }) => !label.trim() || !text.trim()), texts.detailIncomplete],
    ['price', !isAmount(draft.price), texts.invalidPrice],
    [
      'discountedPrice',
      draft.discountedPrice.trim() !== '' && !isAmount(draft.discountedPrice),
      texts.invalidDiscountedPrice,
    ],
    ['startsAt', !isMoment(draft.startsAt), texts.invalidMoment],
    ['endsAt', !isMoment(draft.endsAt), texts.invalidMoment],
    ['endsAt', Boolean(draft.startsAt && draft.endsAt) && draft.endsAt <= draft.startsAt, texts.windowTurned],
    ['subcategory', draft.subcategory === '', texts.categoryRequired],
    ['weight', !isCount(draft.weight), texts.invalidWeight],
    ['colors', draft.colors.length === 0, texts.colorRequired],
    ['colors', new Set(names).size < names.length, texts.colorTwice],
    ['sizes', draft.sizes.length === 0, texts.sizeRequired],
    ['images', hadPictures && draft.pictures.length === 0, texts.imageRequired],
  ];
  const broken = rules.flatMap(([field, isBroken, message]): [string, string][] =>
    isBroken ? [[field, message]] : [],
  );
  return Object.fromEntries([...broken, ...ofGrid(draft), ...ofLengths(draft)]);
}

/** The form field for the server's name of a field. */
export const fieldOf: Readonly<Record<string, string>> = {
  category: 'subcategory',
  discountEndsAt: 'endsAt',
  weightGrams: 'weight',
  stock: 'variants',
};
