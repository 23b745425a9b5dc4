import { texts } from './texts';
import type { ProductImageInput } from '~/graphql/schema.generated';
import type { ProductDraft } from './product-draft';
import type { Change } from '~/features/admin/changes';
import { problemIf, type ProductField } from './product-field';

const pictureIn = ({ pictures }: ProductDraft, key: string) => pictures.find((picture) => picture.key === key);
const orderOf = ({ pictures }: ProductDraft) => pictures.map(({ key }) => key).join();

function changes(base: ProductDraft, draft: ProductDraft): Change[] {
  const keys = new Set([...base.pictures, ...draft.pictures].map(({ key }) => key));
  const changed = [...keys].filter((key) => {
    const before = pictureIn(base, key);
    const after = pictureIn(draft, key);
    if (!before || !after) return true;
    return before.imageId !== after.imageId || before.alt !== after.alt || before.colorKey !== after.colorKey;
  });
  if (changed.length > 0)
    return [{ key: 'pictures', label: changed.length === 1 ? 'one picture' : `${changed.length} pictures` }];
  return orderOf(base) === orderOf(draft) ? [] : [{ key: 'pictures', label: 'order of pictures' }];
}

function inputs({ colors, pictures }: ProductDraft): { images: ProductImageInput[] } {
  const places = new Map(colors.map(({ key }, index) => [key, index]));
  return {
    images: pictures.flatMap(({ imageId, colorKey, alt }) =>
      imageId ? [{ imageId, color: places.get(colorKey) ?? null, alt: alt.trim() }] : [],
    ),
  };
}

export const picturesField: ProductField = {
  names: ['images'],
  parts: ['pictures'],
  read: (product) => ({
    pictures: product.pictures.map(({ image, colorId, alt }, index) => ({
      key: `${index}:${image.id}`,
      imageId: image.id,
      colorKey: colorId ?? '',
      alt,
      src: image.fallback,
    })),
  }),
  // A product that has lost its pictures need not get one with its next edit.
  problems: ({ pictures }, product) =>
    problemIf(pictures.length === 0 && (!product || product.pictures.length > 0), 'images', texts.imageRequired),
  changes,
  edit: inputs,
  create: inputs,
};
