import { parseAmount } from '~/ui/amount';
import { formatFieldMoment } from '~/ui/format';
import { parseMoment } from '~/ui/moment';
import { formatPrice } from '~/ui/price';
import { cellOf, type EditorDraft, pieces, sumOf } from './editor-draft';
import { inUnits } from './measurement-draft';
import { cell } from './product-rules';

/** Something that differs between two forms of one product, in words. */
export interface Change {
  /** The same for the same thing. */
  key: string;
  /** "price", "Indigo M". */
  label: string;
  from?: string;
  to?: string;
}

const amount = (text: string) => {
  const { value } = parseAmount(text);
  return value === null ? text.trim() || 'none' : formatPrice(value);
};
const moment = (local: string) => {
  const { value } = parseMoment(local);
  return value === null ? local || 'none' : formatFieldMoment(value);
};
const short = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text || 'none');

const plain = [
  ['name', 'name', short],
  ['title', 'title', short],
  ['subtitle', 'subtitle', short],
  ['description', 'description', null],
  ['price', 'price', amount],
  ['discountedPrice', 'discounted price', amount],
  ['startsAt', 'discount start', moment],
  ['endsAt', 'discount end', moment],
  ['gender', 'gender', (text: string) => text.toLowerCase()],
  ['subcategory', 'category', (text: string) => text.toLowerCase()],
  ['weight', 'weight', (text: string) => `${text} g`],
] as const;

const many = (count: number) => (count === 1 ? '1 piece' : `${count} pieces`);

function colorChanges(base: EditorDraft, draft: EditorDraft): Change[] {
  const before = new Map(base.colors.map((color) => [color.key, color]));
  const after = new Set(draft.colors.map(({ key }) => key));
  const changes: Change[] = [];
  for (const color of base.colors) {
    if (after.has(color.key)) continue;
    const lost = sumOf(base, [color], base.sizes);
    changes.push({
      key: `color ${color.key}`,
      label: lost > 0 ? `${color.name} taken off with ${many(lost)}` : `${color.name} taken off`,
    });
  }
  for (const color of draft.colors) {
    const old = before.get(color.key);
    if (!old) changes.push({ key: `color ${color.key}`, label: `color ${color.name}` });
    else if (old.name !== color.name || old.hex !== color.hex)
      changes.push({
        key: `color ${color.key}`,
        label: `color ${color.name}`,
        from: `${old.name} ${old.hex}`,
        to: `${color.name} ${color.hex}`,
      });
  }
  const kept = base.colors.filter(({ key }) => after.has(key)).map(({ key }) => key);
  const order = draft.colors.filter(({ key }) => before.has(key)).map(({ key }) => key);
  if (kept.join() !== order.join()) changes.push({ key: 'color order', label: 'order of colors' });
  return changes;
}

function sizeChanges(base: EditorDraft, draft: EditorDraft): Change[] {
  const gone = base.sizes.filter((size) => !draft.sizes.includes(size));
  const added = draft.sizes.filter((size) => !base.sizes.includes(size));
  return [
    ...gone.map((size) => {
      const lost = sumOf(base, base.colors, [size]);
      return {
        key: `size ${size}`,
        label: lost > 0 ? `size ${size} taken off with ${many(lost)}` : `size ${size} taken off`,
      };
    }),
    ...added.map((size) => ({ key: `size ${size}`, label: `size ${size}` })),
  ];
}

/** Cells whose stock differs, of colors and sizes that both forms have or the second one adds. */
export function stockChanges(base: EditorDraft, draft: EditorDraft): Change[] {
  return draft.colors.flatMap((color) =>
    draft.sizes.flatMap((size) => {
      const before = pieces(base, color, size);
      const after = pieces(draft, color, size);
      if (before === after) return [];
      return [
        { key: `stock ${cell(color, size)}`, label: `${color.name} ${size}`, from: String(before), to: String(after) },
      ];
    }),
  );
}

function skuChanges(base: EditorDraft, draft: EditorDraft): Change[] {
  return draft.colors.flatMap((color) =>
    draft.sizes.flatMap((size) => {
      const before = cellOf(base, color, size).sku;
      const after = cellOf(draft, color, size).sku;
      if (before === after) return [];
      return [{ key: `sku ${cell(color, size)}`, label: `SKU of ${color.name} ${size}`, from: before, to: after }];
    }),
  );
}

const pictureOf = ({ pictures }: EditorDraft, key: string) => pictures.find((picture) => picture.key === key);
const orderOf = ({ pictures }: EditorDraft) => pictures.map(({ key }) => key).join();

function pictureChanges(base: EditorDraft, draft: EditorDraft): Change[] {
  const keys = new Set([...base.pictures, ...draft.pictures].map(({ key }) => key));
  const touched = [...keys].filter((key) => {
    const before = pictureOf(base, key);
    const after = pictureOf(draft, key);
    if (!before || !after) return true;
    return before.imageId !== after.imageId || before.alt !== after.alt || before.colorKey !== after.colorKey;
  });
  if (touched.length > 0)
    return [{ key: 'pictures', label: touched.length === 1 ? 'one picture' : `${touched.length} pictures` }];
  return orderOf(base) === orderOf(draft) ? [] : [{ key: 'pictures', label: 'order of pictures' }];
}

const lengthOf = ({ lengths }: EditorDraft, key: string) =>
  lengths[key]?.micrometers ?? lengths[key]?.typed.trim() ?? '';

/** Cells of the table of measurements that differ. */
function lengthChanges(base: EditorDraft, draft: EditorDraft): Change[] {
  const keys = new Set([...Object.keys(base.lengths), ...Object.keys(draft.lengths)]);
  return [...keys]
    .filter((key) => lengthOf(base, key) !== lengthOf(draft, key))
    .map((key) => ({ key, label: key.replace('measurements.', '').replace('.', ' ').replace('_', ' ') }));
}

const detailsOf = ({ details }: EditorDraft) => JSON.stringify(details.map(({ label, text }) => [label, text]));

/** What differs, in the order of the form. */
export function changesBetween(base: EditorDraft, draft: EditorDraft): Change[] {
  const texts = plain.flatMap(([key, label, words]) => {
    if (base[key].trim() === draft[key].trim()) return [];
    return [words ? { key, label, from: words(base[key]), to: words(draft[key]) } : { key, label }];
  });
  return [
    ...texts,
    ...(detailsOf(base) === detailsOf(draft) ? [] : [{ key: 'details', label: 'details' }]),
    ...colorChanges(base, draft),
    ...sizeChanges(base, draft),
    ...stockChanges(base, draft),
    ...skuChanges(base, draft),
    ...lengthChanges(base, draft),
    ...pictureChanges(base, draft),
  ];
}

/** Rebases this form's changes on those saved meanwhile; where both changed a field, this form's wins. */
export function rebased(base: EditorDraft, mine: EditorDraft, theirs: EditorDraft): EditorDraft {
  const touched = new Set(changesBetween(base, mine).map(({ key }) => key));
  const merged: EditorDraft = { ...theirs, cells: { ...theirs.cells } };
  const take = <Key extends keyof EditorDraft>(key: Key) => {
    merged[key] = mine[key];
  };
  for (const [key] of plain) if (touched.has(key)) take(key);
  if (touched.has('details')) take('details');
  merged.lengthUnits = mine.lengthUnits;
  merged.lengths = inUnits(theirs.lengths, mine.lengthUnits);
  for (const [key, length] of Object.entries(mine.lengths)) if (touched.has(key)) merged.lengths[key] = length;
  if (touched.has('pictures')) take('pictures');
  if ([...touched].some((key) => key.startsWith('color '))) take('colors');
  if ([...touched].some((key) => key.startsWith('size '))) take('sizes');
  for (const color of mine.colors) {
    for (const size of mine.sizes) {
      const at = cell(color, size);
      const own = cellOf(mine, color, size);
      const there = theirs.cells[at] ?? own;
      merged.cells[at] = {
        stock: touched.has(`stock ${at}`) ? own.stock : there.stock,
        sku: touched.has(`sku ${at}`) ? own.sku : there.sku,
      };
    }
  }
  return merged;
}
