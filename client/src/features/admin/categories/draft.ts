import * as v from 'valibot';
import type { Change } from '~/features/admin/changes';
import { pointName } from '~/features/admin/point-name';
import type { AgeGroup, MeasurementPoint, WearerGender } from '~/graphql/schema.generated';
import type { CategoryRowFragment, DepartmentRowFragment } from './categories.generated';
import { texts } from './texts';

export type Row = CategoryRowFragment | DepartmentRowFragment;

export interface PictureDraft {
  id: string;
  /** The address of what is shown in the form. */
  src: string;
}

/** What is edited of a department or a category. */
export interface Draft {
  name: string;
  heading: string;
  slug: string;
  isHidden: boolean;
  // Of a category.
  measurementPoints: MeasurementPoint[];
  /** Key of what its products are made in. */
  sizeSystem: string;
  description: string;
  picture: PictureDraft | null;
  // Of a department; anyone where its gender is empty.
  gender: WearerGender | '';
  ageGroup: AgeGroup;
}

const isText = (value: unknown) => typeof value === 'string';

export const draftRules: v.GenericSchema<Draft> = v.object({
  name: v.string(),
  heading: v.string(),
  slug: v.string(),
  isHidden: v.boolean(),
  measurementPoints: v.array(v.custom<MeasurementPoint>(isText)),
  sizeSystem: v.string(),
  description: v.string(),
  picture: v.nullable(v.object({ id: v.string(), src: v.string() })),
  gender: v.custom<WearerGender | ''>(isText),
  ageGroup: v.custom<AgeGroup>(isText),
});

export const isCategory = (row: Row): row is CategoryRowFragment => 'kind' in row;

const ofNoCategory = { measurementPoints: [], sizeSystem: '', description: '', picture: null };
const ofNoDepartment = { gender: '', ageGroup: 'ADULT' } as const;

const categoryParts = ({ measurementPoints, sizeSystem, description, image }: CategoryRowFragment) => ({
  sizeSystem: sizeSystem.key,
  measurementPoints: [...measurementPoints],
  description,
  picture: image && { id: image.id, src: image.fallback },
});

const departmentParts = ({ gender, ageGroup }: DepartmentRowFragment) => ({ gender: gender ?? '', ageGroup }) as const;

export const draftOf = (row: Row): Draft => ({
  name: row.name,
  heading: row.heading,
  slug: row.slug,
  isHidden: row.isHidden,
  ...(isCategory(row) ? { ...ofNoDepartment, ...categoryParts(row) } : { ...ofNoCategory, ...departmentParts(row) }),
});

const inWords: { [Name in keyof Draft]: { label: string; say: (value: Draft[Name]) => string } } = {
  name: { label: 'name', say: String },
  heading: { label: 'heading', say: (heading) => heading || 'none' },
  slug: { label: 'address', say: String },
  isHidden: { label: 'visibility', say: (isHidden) => (isHidden ? texts.hidden : texts.shown).toLowerCase() },
  description: { label: 'words', say: (description) => description.trim() || 'none' },
  picture: { label: 'picture', say: (picture) => picture?.id ?? 'none' },
  gender: { label: 'who wears it', say: (gender) => texts.genders[gender].toLowerCase() },
  ageGroup: { label: 'age', say: (ageGroup) => texts.ageGroups[ageGroup].toLowerCase() },
  sizeSystem: { label: 'sizes', say: String },
  measurementPoints: { label: 'measuring points', say: (points) => points.map(pointName).join(', ') || 'none' },
};

const names = Object.keys(inWords) as (keyof Draft)[];

function changeOf<Name extends keyof Draft>(name: Name, before: Draft, after: Draft): Change | null {
  const { label, say } = inWords[name];
  const [from, to] = [say(before[name]), say(after[name])];
  if (from === to) return null;
  // Words are as long as a paragraph, and a picture's id says nothing.
  return name === 'description' || name === 'picture' ? { key: name, label } : { key: name, label, from, to };
}

/** What differs, in the order of the form. */
export const changesBetween = (before: Draft, after: Draft): Change[] =>
  names.map((name) => changeOf(name, before, after)).filter((change) => change !== null);

/** My changes on top of what was saved meanwhile; where both changed a field, mine win. */
export function rebase(before: Draft, mine: Draft, theirs: Draft): Draft {
  const changed = changesBetween(before, mine).map(({ key }) => [key, mine[key as keyof Draft]] as const);
  return { ...theirs, ...Object.fromEntries(changed) };
}

/** Words joined by hyphens, as keys and addresses have them: "Sun hats" is "sun-hats". */
export const hyphenated = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f'’]/g, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-');

/** Before which of its neighbours something stands once it has the place of another; null when it is last. */
export function neighbourAfter(keys: readonly string[], key: string): string | null {
  return keys[keys.indexOf(key) + 1] ?? null;
}
