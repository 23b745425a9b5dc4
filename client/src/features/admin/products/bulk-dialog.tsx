import { useApolloClient } from '@apollo/client/react';
import { useState } from 'react';
import type { ProductsChange, ProductSelection } from '~/graphql/schema.generated';
import { useSentForm } from '~/graphql/use-sent-form';
import { Dialog } from '~/ui/dialog';
import { FormEnd } from '~/ui/form-end';
import { formatNumber } from '~/ui/format';
import { useTimeZone } from '~/ui/time-zone';
import { toast } from '~/ui/toast';
import {
  type BulkPreviewFragment,
  type UpdateProductsMutation,
  ProductsPreviewDocument,
  type ProductsPreviewQuery,
  useUpdateProductsMutation,
} from './bulk.generated';
import styles from './bulk.module.css';
import { type BulkKind, bulkRules, changeOf, emptyBulkForm } from './bulk-change';
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

interface Looked {
  data?: Pick<NonNullable<ProductsPreviewQuery['admin']>, 'productsPreview'> | null | undefined;
}
interface Changed {
  data?: UpdateProductsMutation | null | undefined;
}

interface BulkDialogProps {
  kind: BulkKind;
  selection: ProductSelection;
  onClose: () => void;
  onDone: () => void;
}

/** Asks the server what the change would do, and has exactly that done. */
function useBulkChange({ kind, selection, onDone }: Omit<BulkDialogProps, 'onClose'>) {
  const client = useApolloClient();
  const timeZone = useTimeZone();
  const [preview, setPreview] = useState<BulkPreviewFragment | null>(null);
  const [updateProducts] = useUpdateProductsMutation({
    update(cache) {
      for (const fieldName of ['products', 'admin', 'categories']) cache.evict({ id: 'ROOT_QUERY', fieldName });
    },
  });

  async function look(change: ProductsChange) {
    const variables = { selection, change };
    const { data } = await client.query({ query: ProductsPreviewDocument, variables, fetchPolicy: 'no-cache' });
    return { data: data?.admin && { productsPreview: data.admin.productsPreview } };
  }

  const form = useSentForm({
    rules: bulkRules(kind, timeZone),
    defaultValues: emptyBulkForm,
    send: (change): Promise<Looked | Changed> =>
      preview ? updateProducts({ variables: { selection, change, token: preview.token } }) : look(change),
    done: ['ProductsPreview', 'ProductsUpdated', 'PreviewOutdated'],
    onDone: (answer, { setError }) => {
      if (answer.__typename === 'ProductsUpdated') {
        toast.success(texts.bulkChanged(answer.count));
        onDone();
      } else if (answer.__typename === 'PreviewOutdated') {
        setPreview(answer.preview);
        setError('root', { message: answer.message });
      } else setPreview(answer);
    },
    otherwise: preview ? texts.bulkFailed : texts.previewFailed,
  });

  /** What was looked at no longer stands. */
  function edited() {
    setPreview(null);
    form.clearErrors();
  }

  const typed = form.watch();
  return { ...form, typed, isReady: changeOf(kind, typed, timeZone) !== null, preview, edited };
}

/** One change for all selected products: what it is, what it would do, and only then the deed. */
export function BulkDialog({ kind, selection, onClose, onDone }: BulkDialogProps) {
  const { typed, isReady, register, edited, preview, refusal, onSubmit, isSending } = useBulkChange({
    kind,
    selection,
    onDone,
  });
  const end = preview
    ? {
        submit: `Change ${formatNumber(preview.changing)} ${preview.changing === 1 ? 'product' : 'products'}`,
        danger: kind === 'retire',
        disabled: preview.changing === 0,
        working: isSending && 'Changing ...',
      }
    : { submit: 'Preview', disabled: !isReady, working: isSending && 'Looking ...' };

  return (
    <Dialog open side title={titles[kind]} onClose={onClose}>
      <form className={styles.form} onSubmit={onSubmit} onChange={edited}>
        <BulkFields kind={kind} form={typed} register={register} />
        {preview && <BulkPreviewTable kind={kind} preview={preview} />}
        {/* Another button once it was looked at: a press that was meant for the first must not carry it out. */}
        <FormEnd key={preview ? 'carry out' : 'look'} {...end} refusal={refusal} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
