import { useState } from 'react';
import { settled } from '~/graphql/settled';
import type { AdjustmentReason, MeasurementPoint } from '~/graphql/schema.generated';
import { toast } from '~/ui/toast';
import { type EditableProductFragment, type EditProductMutation, useEditProductMutation } from './editor.generated';
import { type Change, changesBetween, rebased } from './editor-changes';
import { draftOf, type EditorDraft, inputOf } from './editor-draft';
import { fieldOf, type Problems, problemsOf } from './editor-problems';
import { texts } from './texts';
import { useUploads } from './use-uploads';

interface Conflict {
  product: EditableProductFragment;
  theirs: Change[];
}

type Refused = Extract<EditProductMutation['editProduct'], { __typename: 'InvalidInput' }>;

/** What the kind that is chosen is measured at. */
type PointsOf = (draft: Pick<EditorDraft, 'gender' | 'subcategory'>) => readonly MeasurementPoint[];

function named({ errors }: Refused): Problems {
  return Object.fromEntries(errors.map(({ field, message }) => [fieldOf[field] ?? field, message]));
}

/** What a refusal of the server is about, by the parts of the form that answer it. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  images: ['pictures'],
  variants: ['cells', 'sizes', 'colors'],
  endsAt: ['startsAt', 'endsAt'],
};

const partsOf = (field: string) => aliases[field] ?? [field.startsWith('measurements.') ? 'lengths' : field];

/** What the server has refused and no edit is about. */
function unanswered(refused: Problems, edits: Partial<EditorDraft>): Problems {
  return Object.fromEntries(Object.entries(refused).filter(([field]) => !partsOf(field).some((part) => part in edits)));
}

function uploaded(pictures: EditorDraft['pictures'], key: string, imageId: string) {
  return pictures.map((picture) => (picture.key === key ? { ...picture, imageId } : picture));
}

function useEditing() {
  return useEditProductMutation({
    update(cache) {
      for (const fieldName of ['products', 'product', 'categories', 'search']) {
        cache.evict({ id: 'ROOT_QUERY', fieldName });
      }
    },
  });
}

/** What the form was filled from, what it says now, and the way to save it over nothing that was not seen. */
export function useProductEditor(product: EditableProductFragment, pointsOf: PointsOf) {
  const [base, setBase] = useState(() => ({ product, draft: draftOf(product) }));
  const [draft, setDraft] = useState(base.draft);
  const [why, setWhy] = useState<{ reason: AdjustmentReason; note: string }>({ reason: 'COUNTED', note: '' });
  const [refused, setRefused] = useState<Problems>({});
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [editProduct, { loading: saving }] = useEditing();
  const uploads = useUploads({
    onUploaded: (key, imageId) => setDraft((now) => ({ ...now, pictures: uploaded(now.pictures, key, imageId) })),
    onRefused: (key, file, message) => {
      setDraft((now) => ({ ...now, pictures: now.pictures.filter((picture) => picture.key !== key) }));
      setRefused((now) => ({ ...now, images: message ? `${file.name}: ${message}` : texts.uploadFailed(file.name) }));
    },
  });

  const changes = changesBetween(base.draft, draft);
  const problems: Problems = { ...refused, ...problemsOf(draft, base.draft.pictures.length > 0) };

  function edit(edits: Partial<EditorDraft>) {
    setDraft((now) => ({ ...now, ...edits }));
    setRefused((now) => unanswered(now, edits));
  }

  function restart(from: EditableProductFragment, with_: EditorDraft = draftOf(from)) {
    setBase({ product: from, draft: draftOf(from) });
    setDraft(with_);
    setRefused({});
  }

  function undo() {
    uploads.stopAll();
    setDraft(base.draft);
    setRefused({});
  }

  async function save() {
    const input = inputOf(draft, base.product, why, pointsOf(draft));
    const { id, version } = base.product;
    const { data, said } = await settled(editProduct({ variables: { id, version, product: input } }));
    const result = data?.editProduct;
    if (result?.__typename === 'ProductEdited') {
      restart(result.product);
      setWhy({ reason: 'COUNTED', note: '' });
      toast.success(texts.productSaved);
    } else if (result?.__typename === 'ProductChangedMeanwhile') {
      setConflict({ product: result.product, theirs: changesBetween(base.draft, draftOf(result.product)) });
    } else {
      if (result?.__typename === 'InvalidInput') setRefused(named(result));
      toast.error(result?.message ?? said ?? texts.productSaveFailed);
    }
  }

  function settle(keep: boolean) {
    if (!conflict) return;
    const theirs = draftOf(conflict.product);
    restart(conflict.product, keep ? rebased(base.draft, draft, theirs) : theirs);
    if (!keep) uploads.stopAll();
    setConflict(null);
  }

  return {
    base: base.product,
    baseDraft: base.draft,
    draft,
    edit,
    undo,
    save,
    saving,
    changes,
    problems,
    why,
    setWhy,
    uploads,
    conflict,
    settle,
  };
}
