import { valibotResolver } from '@hookform/resolvers/valibot';
import { useEffect, useState } from 'react';
import { type FieldPath, useForm } from 'react-hook-form';
import { PrivilegeNote } from '~/features/admin/panel';
import type { Size } from '~/graphql/schema.generated';
import { Button } from '~/ui/button';
import { Checkbox } from '~/ui/choice';
import { ErrorNote } from '~/ui/error-note';
import { Field, TextArea } from '~/ui/field';
import { Segments } from '~/ui/segments';
import { SizeChecks } from '~/ui/size-tape';
import { toast } from '~/ui/toast';
import { useUnloadGuard } from '~/ui/use-unload-guard';
import { ColorEditor } from './color-editor';
import type { ProductFormCategoryFragment } from './create-product.generated';
import { PictureChooser } from './picture-chooser';
import styles from './product-form.module.css';
import { emptyProduct, gridOf, productRules, type ProductValues, sumOf } from './product-rules';
import { StockGrid } from './stock-grid';
import { texts } from './texts';
import { type CreateProductResult, useCreateProduct } from './use-create-product';
import { useKeptDraft } from './use-kept-draft';

interface ProductFormProps {
  categories: readonly ProductFormCategoryFragment[];
  sizes: readonly Size[];
  imageTypes: readonly string[];
  allowed: boolean;
  onCreated: () => void;
}

const genders = [
  { value: 'MEN', label: 'Men' },
  { value: 'WOMEN', label: 'Women' },
] as const;

type Name = FieldPath<ProductValues>;

function useProductForm(onCreated: () => void) {
  const draft = useKeptDraft();
  const [initial] = useState(draft.initial);
  const form = useForm<ProductValues>({
    resolver: valibotResolver(productRules),
    defaultValues: emptyProduct,
    values: initial,
    resetOptions: { keepDefaultValues: true },
    reValidateMode: 'onSubmit',
    // Otherwise the rules over several fields wait until every single field is right.
    criteriaMode: 'all',
  });
  const { getValues, formState } = form;
  useEffect(() => draft.follow(getValues));
  useUnloadGuard(formState.isDirty);
  const { create, progress } = useCreateProduct();

  function refuse(result: CreateProductResult | undefined, said: string | undefined) {
    const broken = result?.__typename === 'InvalidInput' ? result.errors : [];
    for (const { field, message } of broken) {
      if (field in emptyProduct) form.setError(field as keyof ProductValues, { message });
    }
    const message = (result && 'message' in result && result.message) || said || texts.productCreateFailed;
    form.setError('root', { message });
    toast.error(message);
  }

  const submit = form.handleSubmit(async (values) => {
    const { result, said } = await create(values);
    if (result?.__typename !== 'ProductCreated') return refuse(result, said);
    draft.forget();
    toast.success(texts.productCreated);
    return onCreated();
  });

  return { ...form, progress, submit };
}

/** Everything that a new product needs; the server makes its variants. */
export function ProductForm({ categories, sizes, imageTypes, allowed, onCreated }: ProductFormProps) {
  const { register, watch, setValue, clearErrors, formState, progress, submit } = useProductForm(onCreated);
  const { errors, isSubmitting } = formState;
  const values = watch();
  const grid = gridOf(values);
  const kinds = categories.filter(({ gender }) => gender === values.gender);

  const text = (name: Name) => ({ ...register(name, { onChange: () => clearErrors(name) }) });
  function choose<Key extends keyof ProductValues>(name: Key, value: ProductValues[Key]) {
    setValue(name as Name, value as never);
    clearErrors(name as Name);
  }

  /** Neither way loses what was typed: the stock is spread over the grid, and the grid's sum is the stock. */
  function chooseExact(exact: boolean) {
    if (!exact) choose('stock', String(sumOf({ ...values, grid }) || values.stock));
    else if (sumOf(values) !== Number(values.stock)) choose('grid', {});
    choose('exact', exact);
    clearErrors('stock');
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <fieldset className={styles.section}>
        <legend>{texts.basics}</legend>
        <div className={styles.pair}>
          <Field {...text('name')} label="Name" error={errors.name?.message} />
          <Field {...text('subtitle')} label="Subtitle" error={errors.subtitle?.message} />
        </div>
        <TextArea {...text('description')} label="Description" error={errors.description?.message} />
      </fieldset>

      <fieldset className={styles.section}>
        <legend>{texts.pricing}</legend>
        <div className={styles.pair}>
          <Field {...text('price')} label="Price" inputMode="decimal" note="In US dollars" error={errors.price?.message} />
          <Field
            {...text('discountedPrice')}
            label="Discounted price (optional)"
            inputMode="decimal"
            note="Counts while it is below the price"
            error={errors.discountedPrice?.message}
          />
        </div>
      </fieldset>

      <fieldset className={styles.section}>
        <legend>{texts.categorization}</legend>
        <div className={styles.pair}>
          <Segments
            label="Gender"
            options={genders}
            chosen={values.gender}
            error={errors.gender?.message}
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
              error={errors.subcategory?.message}
              onChoose={(subcategory) => choose('subcategory', subcategory)}
            />
          ) : (
            <div>
              <p className="small soft">Choose a gender to see its categories.</p>
              {errors.subcategory?.message && <ErrorNote>{errors.subcategory.message}</ErrorNote>}
            </div>
          )}
        </div>
      </fieldset>

      <fieldset className={styles.section}>
        <legend>{texts.colorsAndSizes}</legend>
        <ColorEditor
          colors={values.colors}
          error={errors.colors?.message}
          onChange={(colors) => choose('colors', colors)}
        />
        <div className={styles.part}>
          <SizeChecks
            label="Sizes"
            sizes={sizes}
            chosen={values.sizes}
            onSwitch={(size, isIn) =>
              choose('sizes', sizes.filter((one) => (one === size ? isIn : values.sizes.includes(one))))
            }
          />
          {errors.sizes?.message && <ErrorNote>{errors.sizes.message}</ErrorNote>}
        </div>
        <div className={styles.pair}>
          {values.exact ? (
            <Field label="Stock" value={sumOf({ ...values, grid })} readOnly error={errors.stock?.message} />
          ) : (
            <Field
              {...text('stock')}
              key="stock"
              label="Stock"
              inputMode="numeric"
              note="Pieces in all, spread evenly over colors and sizes"
              error={errors.stock?.message}
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
      </fieldset>

      <fieldset className={styles.section}>
        <legend>{texts.images}</legend>
        <PictureChooser
          types={imageTypes}
          images={values.images}
          colors={values.colors}
          error={errors.images?.message}
          progress={progress}
          onChange={(images) => choose('images', images)}
        />
      </fieldset>

      {errors.root?.message && <ErrorNote>{errors.root.message}</ErrorNote>}
      <PrivilegeNote id="create-note" allowed={allowed} />
      <div>
        <Button
          kind="primary"
          type="submit"
          disabled={!allowed}
          aria-describedby={allowed ? undefined : 'create-note'}
          working={isSubmitting && texts.creating}
        >
          Create Product
        </Button>
      </div>
    </form>
  );
}
