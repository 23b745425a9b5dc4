import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { settled } from '~/graphql/settled';
import type { ProductSelection } from '~/graphql/schema.generated';
import { Dialog } from '~/ui/dialog';
import { ErrorNote } from '~/ui/error-note';
import { FormEnd } from '~/ui/form-end';
import { formatNumber } from '~/ui/format';
import { toast } from '~/ui/toast';
import { type BulkPreviewFragment, ProductsPreviewDocument, useChangeProductsMutation } from './bulk.generated';
import styles from './bulk.module.css';
import { type BulkForm, type BulkKind, changeOf, emptyBulkForm } from './bulk-change';
import { BulkFields } from './bulk-fields';
import { BulkPreviewTable } from './bulk-preview';
import { texts } from './texts';

const titles: Record<BulkKind, string> = {
  price: 'Change prices',
  discount: 'Discount',
  stock: 'Change stock',
  retire: 'Retire products',
  restore: 'Put products on offer again',
};

interface BulkDialogProps {
  kind: BulkKind;
  selection: ProductSelection;
  onClose: () => void;
  onDone: () => void;
}

/** Asks the server what the change would do, and has exactly that done. */
function useBulkChange({ kind, selection, onDone }: Omit<BulkDialogProps, 'onClose'>) {
  const client = useApolloClient();
  const { control, handleSubmit, register } = useForm<BulkForm>({ defaultValues: emptyBulkForm });
  const [preview, setPreview] = useState<BulkPreviewFragment | null>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const [looking, setLooking] = useState(false);
  const [changeProducts, { loading }] = useChangeProductsMutation({
    update(cache) {
      for (const fieldName of ['products', 'admin', 'categories']) cache.evict({ id: 'ROOT_QUERY', fieldName });
    },
  });
  const form = useWatch({ control, compute: (typed) => typed });
  const change = changeOf(kind, form);

  /** What was looked at no longer stands. */
  function edited() {
    setPreview(null);
    setRefusal(null);
  }

  async function look() {
    if (!change) return;
    setLooking(true);
    const variables = { selection, change };
    const asked = client.query({ query: ProductsPreviewDocument, variables, fetchPolicy: 'no-cache' });
    const { data, said } = await settled(asked);
    const result = data?.admin?.productsPreview;
    setPreview(result?.__typename === 'ProductsPreview' ? result : null);
    if (result?.__typename === 'ProductsPreview') setRefusal(null);
    else setRefusal(result?.message ?? said ?? texts.previewFailed);
    setLooking(false);
  }

  async function carryOut() {
    if (!change || !preview) return;
    const { data, said } = await settled(changeProducts({ variables: { selection, change, token: preview.token } }));
    const result = data?.changeProducts;
    if (result?.__typename === 'ProductsChanged') {
      toast.success(texts.bulkChanged(result.count));
      onDone();
      return;
    }
    if (result?.__typename === 'PreviewOutdated') setPreview(result.preview);
    setRefusal(result?.message ?? said ?? texts.bulkFailed);
  }

  const submit = handleSubmit(async () => {
    if (looking || loading) return;
    await (preview ? carryOut() : look());
  });
  return { form, register, edited, preview, refusal, submit, looking, changing: loading, ready: change !== null };
}

/** One change for all selected products: what it is, what it would do, and only then the deed. */
export function BulkDialog({ kind, selection, onClose, onDone }: BulkDialogProps) {
  const { form, register, edited, preview, refusal, submit, looking, changing, ready } = useBulkChange({
    kind,
    selection,
    onDone,
  });
  const end = preview
    ? {
        submit: `Change ${formatNumber(preview.changing)} ${preview.changing === 1 ? 'product' : 'products'}`,
        danger: kind === 'retire',
        disabled: preview.changing === 0,
        working: changing && 'Changing ...',
      }
    : { submit: 'Preview', disabled: !ready, working: looking && 'Looking ...' };

  return (
    <Dialog open side title={titles[kind]} onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void submit(event)} onChange={edited}>
        <BulkFields kind={kind} form={form} register={register} />
        {refusal && <ErrorNote>{refusal}</ErrorNote>}
        {preview && <BulkPreviewTable kind={kind} preview={preview} />}
        {/* Another button once it was looked at: a press that was meant for the first must not carry it out. */}
        <FormEnd key={preview ? 'carry out' : 'look'} {...end} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
