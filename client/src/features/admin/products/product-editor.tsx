import { type ComponentType, type ReactNode, useState } from 'react';
import { PrivilegeNote } from '~/features/admin/panel';
import { texts as admin } from '~/features/admin/texts';
import { genderNames } from '~/graphql/catalogue';
import type { AdjustmentReason, MeasurementPoint } from '~/graphql/schema.generated';
import { ConfirmDialog } from '~/ui/dialog';
import { ErrorNote } from '~/ui/error-note';
import { Field, Select, TextArea } from '~/ui/field';
import { formatNumber } from '~/ui/format';
import { Link } from '~/ui/link';
import { Segments } from '~/ui/segments';
import { reasons } from './bulk-fields';
import { ColorDialog } from './color-dialog';
import { NewColor } from './color-editor';
import { ConflictDialog } from './conflict-dialog';
import type { ProductFormCategoryFragment } from './create-product.generated';
import { DetailsEditor } from './details-editor';
import type { EditableProductFragment } from './editor.generated';
import styles from './editor.module.css';
import { stockChanges } from './editor-changes';
import { type EditorDraft, sumOf } from './editor-draft';
import { MeasurementGrid } from './measurement-grid';
import { PictureBoard } from './picture-board';
import { ProductAside } from './product-aside';
import { texts } from './texts';
import { UnsavedBar } from './unsaved-bar';
import { useLeaveGuard } from './use-leave-guard';
import { useProductEditor } from './use-product-editor';
import { VariantGrid } from './variant-grid';

interface ProductEditorProps<Product extends EditableProductFragment> {
  product: Product;
  categories: readonly ProductFormCategoryFragment[];
  imageTypes: readonly string[];
  mostImages: number;
  /** Whether the viewer is the primary admin. */
  allowed: boolean;
  /** Draws the product as shoppers would see it with these words and pictures. */
  Preview: ComponentType<{ product: Product; draft: EditorDraft }>;
  onChanged: () => void;
}

const NOTE = 'product-editor-note';
const MOST_WORDS = 5000;
const genders = [
  { value: 'MEN', label: genderNames.MEN },
  { value: 'WOMEN', label: genderNames.WOMEN },
] as const;

type Editor = ReturnType<typeof useProductEditor>;
type SectionProps = Pick<Editor, 'draft' | 'edit' | 'problems'>;

function Section({ title, aside, children }: { title: string; aside?: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {aside && <p className="small soft">{aside}</p>}
      </div>
      {children}
    </section>
  );
}

function useText({ draft, edit, problems }: SectionProps) {
  type Text =
    | 'name'
    | 'title'
    | 'subtitle'
    | 'description'
    | 'price'
    | 'discountedPrice'
    | 'startsAt'
    | 'endsAt'
    | 'weight';
  return (name: Text) => ({
    value: draft[name],
    error: problems[name],
    onChange: ({ target }: { target: { value: string } }) => edit({ [name]: target.value }),
  });
}

function Basics(props: SectionProps) {
  const text = useText(props);
  const { draft, edit, problems } = props;
  return (
    <Section title={texts.basics}>
      <div className={styles.pair}>
        <Field {...text('name')} label="Name" maxLength={200} />
        <Field {...text('subtitle')} label="Subtitle" maxLength={200} />
      </div>
      <TextArea
        {...text('description')}
        label="Description"
        maxLength={MOST_WORDS}
        note={`${formatNumber(draft.description.length)} characters. Up to 5,000.`}
      />
      <div className={styles.pair}>
        <Field
          {...text('title')}
          label="Title (optional)"
          maxLength={200}
          note="Read with its pictures; the name when empty."
        />
        <Field {...text('weight')} label="Weight in grams" inputMode="numeric" note="Of one piece, packed." />
      </div>
      <details className={styles.more} open={problems['details'] !== undefined || undefined}>
        <summary>Details, {draft.details.length}</summary>
        <DetailsEditor details={draft.details} error={problems['details']} onChange={(details) => edit({ details })} />
      </details>
    </Section>
  );
}

function Pricing(props: SectionProps) {
  const text = useText(props);
  return (
    <Section title={texts.pricing}>
      <div className={styles.four}>
        <Field {...text('price')} label="Price" start="$" inputMode="decimal" />
        <Field {...text('discountedPrice')} label="Discounted price" start="$" inputMode="decimal" note="Optional." />
        <Field {...text('startsAt')} label="Discount starts" type="datetime-local" note="Optional. Your time zone." />
        <Field {...text('endsAt')} label="Discount ends" type="datetime-local" note="Optional. Your time zone." />
      </div>
    </Section>
  );
}

function Categorization({
  draft,
  edit,
  problems,
  categories,
}: SectionProps & { categories: readonly ProductFormCategoryFragment[] }) {
  const kinds = categories.filter(({ gender }) => gender === draft.gender);
  return (
    <Section title={texts.categorization}>
      <div className={styles.pair}>
        <Segments
          label="Gender"
          options={genders}
          chosen={draft.gender}
          onChoose={(gender) => edit({ gender, subcategory: '' })}
        />
        <Segments
          label="Category"
          options={kinds.map(({ subcategory, label }) => ({ value: subcategory, label }))}
          chosen={draft.subcategory}
          error={problems['subcategory']}
          onChoose={(subcategory) => edit({ subcategory })}
        />
      </div>
    </Section>
  );
}

function StockReason({ why, setWhy }: Pick<Editor, 'why' | 'setWhy'>) {
  return (
    <div className={styles.pair}>
      <Select
        label="Why is the stock another one?"
        value={why.reason}
        onChange={({ target }) => setWhy({ ...why, reason: target.value as AdjustmentReason })}
      >
        {Object.entries(reasons).map(([reason, words]) => (
          <option key={reason} value={reason}>
            {words}
          </option>
        ))}
      </Select>
      <Field
        label="Note (optional)"
        value={why.note}
        maxLength={200}
        onChange={({ target }) => setWhy({ ...why, note: target.value })}
      />
    </div>
  );
}

function ColorsAndSizes({ editor }: { editor: Editor }) {
  const { draft, edit, problems, base, baseDraft } = editor;
  const [colorKey, setColorKey] = useState<string | null>(null);
  const color = draft.colors.find(({ key }) => key === colorKey);
  const off = base.colors.filter(({ id }) => draft.colors.every(({ key }) => key !== id));
  const stock = sumOf(draft, draft.colors, draft.sizes);
  const variants = draft.colors.length * draft.sizes.length;

  return (
    <Section
      title={texts.colorsAndSizes}
      aside={`${formatNumber(stock)} in stock, ${variants} ${variants === 1 ? 'variant' : 'variants'}`}
    >
      <VariantGrid draft={draft} problems={problems} onEdit={edit} onColor={({ key }) => setColorKey(key)} />
      {stockChanges(baseDraft, draft).length > 0 && <StockReason why={editor.why} setWhy={editor.setWhy} />}
      <NewColor onAdd={(added) => edit({ colors: [...draft.colors, added] })} />
      {problems['colors'] && <ErrorNote>{problems['colors']}</ErrorNote>}
      {off.length > 0 && (
        <ul className={styles.list} aria-label="Colors taken off">
          {off.map(({ id, name, hex, sold }) => (
            <li key={id}>
              {name} is off sale{sold > 0 && `; ${formatNumber(sold)} were sold`}.{' '}
              <button
                type="button"
                className="link small"
                aria-label={`Put ${name} back`}
                onClick={() => edit({ colors: [...draft.colors, { key: id, name, hex }] })}
              >
                Put back
              </button>
            </li>
          ))}
        </ul>
      )}
      {color && (
        <ColorDialog
          color={color}
          draft={draft}
          sold={base.colors.find(({ id }) => id === color.key)?.sold ?? 0}
          isNew={base.colors.every(({ id }) => id !== color.key)}
          onEdit={edit}
          onClose={() => setColorKey(null)}
        />
      )}
    </Section>
  );
}

interface SectionsProps {
  editor: Editor;
  points: readonly MeasurementPoint[];
  categories: readonly ProductFormCategoryFragment[];
  imageTypes: readonly string[];
  mostImages: number;
}

function Sections({ editor, points, categories, imageTypes, mostImages }: SectionsProps) {
  const { draft, edit, problems, uploads } = editor;
  return (
    <div className={styles.sections}>
      <Basics draft={draft} edit={edit} problems={problems} />
      <Pricing draft={draft} edit={edit} problems={problems} />
      <Categorization draft={draft} edit={edit} problems={problems} categories={categories} />
      <ColorsAndSizes editor={editor} />
      <Section title={texts.measurements} aside="Of the finished garment. What is empty is not shown.">
        <MeasurementGrid draft={draft} points={points} problems={problems} onEdit={edit} />
      </Section>
      <Section title={texts.images} aside="Drag to order. The first one is shown in lists.">
        <PictureBoard
          types={imageTypes}
          most={mostImages}
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
      </Section>
    </div>
  );
}

/** Everything of one product, edited in place and saved at once. */
export function ProductEditor<Product extends EditableProductFragment>({
  product,
  categories,
  imageTypes,
  mostImages,
  allowed,
  Preview,
  onChanged,
}: ProductEditorProps<Product>) {
  const pointsOf = ({ gender, subcategory }: Pick<EditorDraft, 'gender' | 'subcategory'>) =>
    categories.find((kind) => kind.gender === gender && kind.subcategory === subcategory)?.measurementPoints ?? [];
  const editor = useProductEditor(product, pointsOf);
  const { draft, problems, changes, conflict } = editor;
  const isDirty = changes.length > 0;
  const guard = useLeaveGuard(isDirty);
  const uploading = draft.pictures.filter(({ imageId }) => imageId === null).length;

  return (
    <form
      className={styles.editor}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty && uploading === 0 && Object.keys(problems).length === 0) void editor.save();
      }}
    >
      <nav className={styles.crumbs} aria-label="Breadcrumb">
        <Link to="/admin?tab=products" className="link">
          {admin.productControl}
        </Link>{' '}
        / <span aria-current="page">{editor.base.name}</span>
      </nav>
      <PrivilegeNote id={NOTE} allowed={allowed} />
      <div className={styles.columns}>
        <Sections
          editor={editor}
          points={pointsOf(draft)}
          categories={categories}
          imageTypes={imageTypes}
          mostImages={mostImages}
        />
        <ProductAside
          product={{ ...product, name: editor.base.name }}
          allowed={allowed}
          noteId={NOTE}
          onChanged={onChanged}
        >
          <Preview product={product} draft={draft} />
        </ProductAside>
      </div>
      {isDirty && (
        <UnsavedBar
          changes={changes}
          broken={Object.keys(problems).length}
          uploading={uploading}
          saving={editor.saving}
          onUndo={editor.undo}
        />
      )}
      {conflict && (
        <ConflictDialog
          by={conflict.product.changedBy}
          theirs={conflict.theirs}
          mine={changes}
          onKeep={() => editor.settle(true)}
          onDiscard={() => editor.settle(false)}
        />
      )}
      <ConfirmDialog
        open={guard.leaving}
        title={texts.leaveTitle}
        text={`${texts.leaveText} ${changes.map(({ label }) => label).join(', ')}.`}
        confirm={texts.leave}
        dismiss={texts.stay}
        onClose={guard.stay}
        onConfirm={guard.leave}
      />
    </form>
  );
}
