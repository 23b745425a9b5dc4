import type { ApolloCache } from '@apollo/client';
import { type SubmitEvent, useEffect } from 'react';
import { PrivilegeNote } from '~/features/admin/panel';
import { texts } from './texts';
import { FormEnd } from '~/ui/form-end';
import { useTimeZone } from '~/ui/time-zone';
import { toast } from '~/ui/toast';
import { useUnloadGuard } from '~/ui/use-unload-guard';
import { createInput } from './product-fields';
import { type ProductFormOptionsFragment, useCreateProductMutation } from './product-form.generated';
import styles from './product-form.module.css';
import { ProductSections } from './product-sections';
import { useKeptDraft } from './use-kept-draft';
import { useProductDraft } from './use-product-draft';
import { useSubmit } from './use-submit';

interface CreateProductProps {
  options: ProductFormOptionsFragment;
  allowed: boolean;
  onCreated: () => void;
}

function forgetLists(cache: ApolloCache) {
  for (const fieldName of ['products', 'admin', 'categories']) cache.evict({ id: 'ROOT_QUERY', fieldName });
}

/** The form of a product on an empty draft, sent at once with its pictures. */
export function CreateProduct({ options, allowed, onCreated }: CreateProductProps) {
  const storedDraft = useKeptDraft();
  const timeZone = useTimeZone();
  const form = useProductDraft(null, storedDraft.initial);
  const { element, isSending, refusal, submit } = useSubmit(form, texts.productCreateFailed);
  const [createProduct] = useCreateProductMutation({
    update(cache, { data }) {
      if (data?.createProduct.__typename === 'ProductCreated') forgetLists(cache);
    },
  });
  useEffect(() => storedDraft.follow(form.latest));
  useUnloadGuard(form.changes.length > 0);

  function create(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    void submit(
      () => createProduct({ variables: { input: createInput(form.latest(), timeZone) } }),
      ({ createProduct: result }) => {
        if (result.__typename !== 'ProductCreated') return result;
        toast.success(texts.productCreated);
        storedDraft.forget();
        onCreated();
      },
    );
  }

  return (
    <form ref={element} className={styles.creation} noValidate onSubmit={create}>
      <PrivilegeNote id="create-note" allowed={allowed} />
      <ProductSections form={form} options={options} />
      <FormEnd
        refusal={refusal}
        submit="Create Product"
        working={isSending && texts.creating}
        disabled={!allowed}
        describedBy={allowed ? undefined : 'create-note'}
      />
    </form>
  );
}
