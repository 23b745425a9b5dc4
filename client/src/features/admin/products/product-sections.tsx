import { texts } from './texts';
import { SegmentsOrSelect } from '~/features/admin/segments-or-select';
import { ErrorNote } from '~/ui/error-note';
import { Fold } from '~/ui/fold';
import { ColorsAndSizes } from './colors-and-sizes';
import { DetailsEditor } from './details-editor';
import type { ProductFormOptionsFragment } from './product-form.generated';
import styles from './product-form.module.css';
import { MeasurementGrid } from './measurement-grid';
import { categoriesOf, pointsOf } from './measurements-field';
import { PictureBoard } from './picture-board';
import { Section } from './section';
import { sizesOfCategory } from './sizes-of-category';
import { TextControls } from './text-controls';
import type { ProductForm } from './use-product-draft';

interface SectionProps {
  form: ProductForm;
  options: ProductFormOptionsFragment;
}

function Details({ draft, edit, problems }: ProductForm) {
  return (
    <Fold title={`Details, ${draft.details.length}`} broken={problems['details'] !== undefined}>
      <DetailsEditor details={draft.details} error={problems['details']} onChange={(details) => edit({ details })} />
    </Fold>
  );
}

function Category({ form: { draft, edit, problems }, options }: SectionProps) {
  const categories = categoriesOf(draft, options);
  if (categories.length === 0) {
    return (
      <div>
        <p className="small soft">{draft.gender ? texts.noCategories : texts.chooseGender}</p>
        {problems['subcategory'] && <ErrorNote>{problems['subcategory']}</ErrorNote>}
      </div>
    );
  }
  return (
    <SegmentsOrSelect
      label="Category"
      options={categories.map(({ kind, name, isHidden }) => ({
        value: kind.key,
        label: isHidden ? texts.hiddenCategory(name) : name,
      }))}
      chosen={draft.subcategory}
      error={problems['subcategory']}
      onChoose={(subcategory) => {
        const made = sizesOfCategory({ gender: draft.gender, subcategory }, options);
        const sizes = draft.sizes.filter((size) => made.sizes.includes(size));
        edit(sizes.length < draft.sizes.length ? { subcategory, sizes } : { subcategory });
      }}
    />
  );
}

function Pictures({ form: { draft, edit, problems, uploads }, options }: SectionProps) {
  return (
    <PictureBoard
      types={options.shop.imageTypes}
      most={options.shop.limits.imagesPerProduct}
      draft={draft}
      error={problems['images']}
      shares={uploads.shares}
      onChange={(pictures) => edit({ pictures })}
      onUpload={uploads.add}
      onStop={(key) => {
        uploads.stop(key);
        edit({ pictures: draft.pictures.filter((picture) => picture.key !== key) });
      }}
    />
  );
}

/** The whole form of a product, but for its end. A garment is measured once its product is there. */
export function ProductSections({ form, options }: SectionProps) {
  const { product, draft, edit, problems } = form;
  const heading = product ? 'h2' : 'h3';
  return (
    <div className={styles.sections}>
      <Section heading={heading} title={texts.basics}>
        <div className={styles.pair}>
          <TextControls form={form} section="basics" />
        </div>
        <Details {...form} />
      </Section>
      <Section heading={heading} title={texts.pricing}>
        <div className={styles.four}>
          <TextControls form={form} section="pricing" />
        </div>
      </Section>
      <Section heading={heading} title={texts.categorization}>
        <div className={styles.pair}>
          <SegmentsOrSelect
            label="Gender"
            options={(options.admin?.departments ?? []).map(({ key, name }) => ({ value: key, label: name }))}
            chosen={draft.gender}
            error={problems['gender']}
            onChoose={(gender) => edit({ gender, subcategory: '' })}
          />
          <Category form={form} options={options} />
        </div>
      </Section>
      <ColorsAndSizes form={form} made={sizesOfCategory(draft, options)} heading={heading} />
      {product && (
        <Section
          heading={heading}
          title={texts.measurements}
          aside="Of the finished garment. What is empty is not shown."
        >
          <MeasurementGrid draft={draft} points={pointsOf(draft, options)} problems={problems} onEdit={edit} />
        </Section>
      )}
      <Section heading={heading} title={texts.images} aside="Drag to order. The first one is shown in lists.">
        <Pictures form={form} options={options} />
      </Section>
    </div>
  );
}
