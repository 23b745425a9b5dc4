import { type ReactNode, useEffect, useState } from 'react';
import { type FieldPath, useWatch } from 'react-hook-form';
import { PrivilegeNote } from '~/features/admin/panel';
import { genderNames } from '~/graphql/catalogue';
import type { Size } from '~/graphql/schema.generated';
import { useSentForm } from '~/graphql/use-sent-form';
import { Checkbox } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { Field, TextArea } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import { Segments } from '~/ui/segments';
import { SizeChecks } from '~/ui/size-tape';
import { useUnloadGuard } from '~/ui/use-unload-guard';
import { ColorEditor } from './color-editor';
import type { ProductFormCategoryFragment } from './create-product.generated';
import { PictureChooser } from './picture-chooser';
import styles from './product-form.module.css';
import { emptyProduct, gridOf, productRules, type ProductValues, sumOf } from './product-rules';
import { StockGrid } from './stock-grid';
import { texts } from './texts';
import { useCreateProduct } from './use-create-product';
import { useKeptDraft } from './use-kept-draft';

interface ProductFormProps {
  categories: readonly ProductFormCategoryFragment[];
  sizes: readonly Size[];
  imageTypes: readonly string[];
  allowed: boolean;
  onCreated: () => void;
}

const genders = [
  { value: 'MEN', label: genderNames.MEN },
  { value: 'WOMEN', label: genderNames.WOMEN },
] as const;

type Name = FieldPath<ProductValues>;

/** All broken rules are named when it is sent, and each goes with the first key in its field. */
const options = {
  resetOptions: { keepDefaultValues: true },
  reValidateMode: 'onSubmit',
  // Otherwise the rules over several fields wait until every single field is right.
  criteriaMode: 'all',
} as const;

function useProductForm(onCreated: () => void) {
  const draft = useKeptDraft();
  const [initial] = useState(draft.initial);
  const { create, progress } = useCreateProduct();
  const form = useSentForm({
    rules: productRules,
    defaultValues: emptyProduct,
    options: { ...options, values: initial },
    send: create,
    done: 'ProductCreated',
    onDone: () => {
      draft.forget();
      onCreated();
    },
    success: texts.productCreated,
    otherwise: texts.productCreateFailed,
    loud: true,
  });
  const { getValues, formState } = form;
  useEffect(() => draft.follow(getValues));
  useUnloadGuard(formState.isDirty);

  const { errors } = formState;
  const values = useWatch({ control: form.control, compute: (typed) => typed });

  function choose<Key extends keyof ProductValues>(name: Key, value: ProductValues[Key]) {
    form.setValue(name as Name, value as never);
    form.clearErrors(name as Name);
  }

  return {
    ...form,
    values,
    /** What is wrong with a field. */
    wrong: (name: keyof ProductValues) => errors[name]?.message as string | undefined,
    /** A field that is typed in; its error goes with the first key. */
    text: (name: Name & keyof ProductValues) => ({
      ...form.register(name, { onChange: () => form.clearErrors(name) }),
      error: errors[name]?.message as string | undefined,
    }),
    choose,
    progress,
  };
}

type Form = ReturnType<typeof useProductForm>;

function Section({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset className={styles.section}>
      <legend>{legend}</legend>
      {children}
    </fieldset>
  );
}

function Words({ text }: Form) {
  return (
    <>
      <Section legend={texts.basics}>
        <div className={styles.pair}>
          <Field {...text('name')} label="Name" />
          <Field {...text('subtitle')} label="Subtitle" />
        </div>
        <TextArea {...text('description')} label="Description" />
      </Section>
      <Section legend={texts.pricing}>
        <div className={styles.pair}>
          <Field {...text('price')} label="Price" inputMode="decimal" note="In US dollars" />
          <Field
            {...text('discountedPrice')}
            label="Discounted price (optional)"
            inputMode="decimal"
            note="Counts while it is below the price"
          />
        </div>
      </Section>
    </>
  );
}

function Categorization({ form, categories }: { form: Form; categories: ProductFormProps['categories'] }) {
  const { values, wrong, choose } = form;
  const kinds = categories.filter(({ gender }) => gender === values.gender);
  return (
    <Section legend={texts.categorization}>
      <div className={styles.pair}>
        <Segments
          label="Gender"
          options={genders}
          chosen={values.gender}
          error={wrong('gender')}
          onChoose={(gender) => {
            choose('gender', gender);
            choose('subcategory', '');
          }}
        />
        {kinds.length > 0 ? (
          <Segments
            label="Category"
            options={kinds.map(({ subcategory, label }) => ({ value: subcategory, label }))}
            chosen={values.subcategory}
            error={wrong('subcategory')}
            onChoose={(subcategory) => choose('subcategory', subcategory)}
          />
        ) : (
          <div>
            <p className="small soft">Choose a gender to see its categories.</p>
            {wrong('subcategory') && <ErrorNote>{wrong('subcategory')}</ErrorNote>}
          </div>
        )}
      </div>
    </Section>
  );
}

function Stock({ values, wrong, text, choose, clearErrors }: Form) {
  const grid = gridOf(values);

  /** Neither way loses what was typed: the stock is spread over the grid, and the grid's sum is the stock. */
  function chooseExact(exact: boolean) {
    if (!exact) choose('stock', String(sumOf({ ...values, grid }) || values.stock));
    else if (sumOf(values) !== Number(values.stock)) choose('grid', {});
    choose('exact', exact);
    clearErrors('stock');
  }

  return (
    <>
      <div className={styles.pair}>
        {values.exact ? (
          <Field label="Stock" value={sumOf({ ...values, grid })} readOnly error={wrong('stock')} />
        ) : (
          <Field
            {...text('stock')}
            key="stock"
            label="Stock"
            inputMode="numeric"
            note="Pieces in all, spread evenly over colors and sizes"
          />
        )}
      </div>
      <Checkbox checked={values.exact} onChange={({ target }) => chooseExact(target.checked)}>
        Set the stock of each color and size
      </Checkbox>
      {values.exact && (
        <StockGrid
          colors={values.colors}
          sizes={values.sizes}
          grid={grid}
          onChange={(entered) => {
            choose('grid', entered);
            clearErrors('stock');
          }}
        />
      )}
    </>
  );
}

function ColorsAndSizes({ form, sizes }: { form: Form; sizes: readonly Size[] }) {
  const { values, wrong, choose } = form;
  return (
    <Section legend={texts.colorsAndSizes}>
      <ColorEditor colors={values.colors} error={wrong('colors')} onChange={(colors) => choose('colors', colors)} />
      <div className={styles.part}>
        <SizeChecks
          label="Sizes"
          sizes={sizes}
          chosen={values.sizes}
          onSwitch={(size, isIn) =>
            choose(
              'sizes',
              sizes.filter((one) => (one === size ? isIn : values.sizes.includes(one))),
            )
          }
        />
        {wrong('sizes') && <ErrorNote>{wrong('sizes')}</ErrorNote>}
      </div>
      <Stock {...form} />
    </Section>
  );
}

/** Everything that a new product needs; the server makes its variants. */
export function ProductForm({ categories, sizes, imageTypes, allowed, onCreated }: ProductFormProps) {
  const form = useProductForm(onCreated);
  const { values, wrong, choose, progress, refusal, isSending, onSubmit } = form;

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <Words {...form} />
      <Categorization form={form} categories={categories} />
      <ColorsAndSizes form={form} sizes={sizes} />
      <Section legend={texts.images}>
        <PictureChooser
          types={imageTypes}
          images={values.images}
          colors={values.colors}
          error={wrong('images')}
          progress={progress}
          onChange={(images) => choose('images', images)}
        />
      </Section>
      <PrivilegeNote id="create-note" allowed={allowed} />
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
