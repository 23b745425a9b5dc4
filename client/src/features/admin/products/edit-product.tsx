import { type ComponentType, type SubmitEvent, useState } from 'react';
import type { Change } from '~/features/admin/changes';
import { ConflictDialog } from '~/features/admin/conflict-dialog';
import { LeaveDialog } from '~/features/admin/leave-dialog';
import { PrivilegeNote } from '~/features/admin/panel';
import { UnsavedBar } from '~/features/admin/unsaved-bar';
import { useLeaveGuard } from '~/features/admin/use-leave-guard';
import { texts } from './texts';
import { texts as admin } from '~/features/admin/texts';
import { Link } from '~/ui/link';
import { useTimeZone } from '~/ui/time-zone';
import { toast } from '~/ui/toast';
import type { ProductDraft } from './product-draft';
import { changesBetween, draftOf, editInput } from './product-fields';
import {
  type EditableProductFragment,
  type ProductFormOptionsFragment,
  useUpdateProductMutation,
} from './product-form.generated';
import styles from './product-form.module.css';
import { pointsOf } from './measurements-field';
import { ProductAside } from './product-aside';
import { ProductSections } from './product-sections';
import { useProductDraft } from './use-product-draft';
import { useSubmit } from './use-submit';

interface EditProductProps<Product extends EditableProductFragment> {
  product: Product;
  options: ProductFormOptionsFragment;
  /** Whether the viewer is the primary admin. */
  allowed: boolean;
  /** Draws the product as shoppers would see it with these words and pictures. */
  Preview: ComponentType<{ product: Product; draft: ProductDraft }>;
  /** Fetches the product anew; answers it unless that failed. */
  refetch: () => Promise<Product | undefined>;
}

interface Conflict {
  /** What another admin has saved. */
  product: EditableProductFragment;
  theirs: Change[];
}

const NOTE = 'product-form-note';

function useEditing(product: EditableProductFragment, options: ProductFormOptionsFragment) {
  const timeZone = useTimeZone();
  const form = useProductDraft(product);
  const base = form.product ?? product;
  const { submit, ...state } = useSubmit(form, texts.productSaveFailed);
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [updateProduct] = useUpdateProductMutation({
    update(cache) {
      for (const fieldName of ['products', 'product', 'categories', 'search']) {
        cache.evict({ id: 'ROOT_QUERY', fieldName });
      }
    },
  });

  function mutate() {
    const draft = form.latest();
    const input = editInput(draft, { product: base, points: pointsOf(draft, options), timeZone });
    return updateProduct({ variables: { id: base.id, version: base.version, input } });
  }

  const save = () =>
    submit(mutate, ({ updateProduct: result }) => {
      if (result.__typename === 'InvalidInput') return result;
      if (result.__typename === 'ProductUpdated') {
        form.saved(result.product);
        toast.success(texts.productSaved);
      } else {
        const theirs = draftOf(result.product, timeZone);
        setConflict({ product: result.product, theirs: changesBetween(form.base, theirs) });
      }
    });

  function resolve(keepMine: boolean) {
    if (conflict) form.restart(conflict.product, { keepMine });
    setConflict(null);
  }

  function follow(newer: EditableProductFragment | undefined) {
    const theirs = newer ? form.follow(newer) : [];
    if (newer && theirs.length > 0) setConflict({ product: newer, theirs });
  }

  return { ...state, form, base, save, conflict, resolve, follow };
}

/** Everything of one product, edited in place and saved at once. */
export function EditProduct<Product extends EditableProductFragment>({
  product,
  options,
  allowed,
  Preview,
  refetch,
}: EditProductProps<Product>) {
  const { element, form, base, save, isSending, conflict, resolve, follow } = useEditing(product, options);
  const { draft, changes } = form;
  const isDirty = changes.length > 0;
  const guard = useLeaveGuard(isDirty);
  const uploading = draft.pictures.filter(({ imageId }) => imageId === null).length;

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isDirty && uploading === 0) void save();
  }

  return (
    <form ref={element} className={styles.editor} noValidate onSubmit={submit}>
      <nav className={styles.crumbs} aria-label="Breadcrumb">
        <Link to="/admin?tab=products" className="link">
          {admin.productControl}
        </Link>{' '}
        / <span aria-current="page">{base.name}</span>
      </nav>
      <PrivilegeNote id={NOTE} allowed={allowed} />
      <div className={styles.columns}>
        <ProductSections form={form} options={options} />
        <ProductAside
          product={{ ...product, name: base.name }}
          allowed={allowed}
          noteId={NOTE}
          onChanged={() => void refetch().then(follow)}
        >
          <Preview product={product} draft={draft} />
        </ProductAside>
      </div>
      {isDirty && (
        <UnsavedBar
          changes={changes}
          broken={Object.keys(form.problems).length}
          uploading={uploading}
          saving={isSending}
          onUndo={form.undo}
        />
      )}
      {conflict && (
        <ConflictDialog
          title={texts.changedMeanwhile}
          by={conflict.product.changedBy}
          theirs={conflict.theirs}
          mine={changes}
          onKeep={() => resolve(true)}
          onDiscard={() => resolve(false)}
        />
      )}
      <LeaveDialog guard={guard} changes={changes.map(({ label }) => label)} />
    </form>
  );
}
