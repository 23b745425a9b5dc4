import { type ReactNode, useEffect, useRef } from 'react';
import { ConflictDialog } from '~/features/admin/conflict-dialog';
import { HistoryLink } from '~/features/admin/history-link';
import { LeaveDialog } from '~/features/admin/leave-dialog';
import { UnsavedBar } from '~/features/admin/unsaved-bar';
import { useLeaveGuard } from '~/features/admin/use-leave-guard';
import { ErrorNote } from '~/ui/error-note';
import { Field, Select, TextArea } from '~/ui/field';
import { Link } from '~/ui/link';
import { Segments } from '~/ui/segments';
import { useMedia } from '~/ui/use-media';
import type { DepartmentRowFragment } from './categories.generated';
import styles from './categories.module.css';
import { isCategory, type Row } from './draft';
import { PictureField } from './picture-field';
import { PointsField } from './points-field';
import { texts } from './texts';
import { type Editing, useEditing } from './use-editing';

interface CategoryEditorProps {
  row: Row;
  /** Of a category; null where a department is edited. */
  department: DepartmentRowFragment | null;
  /** Accepted kinds of pictures, as MIME types. */
  imageTypes: readonly string[];
  /** What products can be made in. */
  sizeSystems: readonly { key: string; name: string }[];
  /** Another admin has deleted or merged it; this is as it was. */
  isGone: boolean;
  /** Only the owner may change it. */
  allowed: boolean;
  onChanged: (departments: readonly DepartmentRowFragment[]) => void;
  /** What else can be done with it, once nothing is unsaved. */
  renderActs: (isDirty: boolean) => ReactNode;
}

const visibilities = [
  { value: 'shown', label: texts.shown },
  { value: 'hidden', label: texts.hidden },
] as const;

function redirectNote({ base, draft }: Editing): string | undefined {
  if (draft.slug === base.slug || !draft.slug) return undefined;
  return isCategory(base) ? texts.leadsHere(base.path) : texts.leadHere(base.path);
}

function Words({ form, department, allowed }: { form: Editing } & Pick<CategoryEditorProps, 'department' | 'allowed'>) {
  const { field, base, draft, setValue } = form;
  const isHidden = draft.isHidden;
  return (
    <>
      <div className={styles.words}>
        <Field label={texts.name} {...field('name')} disabled={!allowed} note={texts.nameAbout} autoComplete="off" />
        <Field
          label={texts.heading}
          {...field('heading')}
          disabled={!allowed}
          note={department ? texts.headingOf(department.heading) : texts.headingAbout}
          autoComplete="off"
        />
        <Field
          label={texts.address}
          {...field('slug')}
          disabled={!allowed}
          start={base.path.slice(0, -base.slug.length)}
          note={redirectNote(form)}
          autoComplete="off"
          autoCapitalize="none"
        />
      </div>
      <div className={styles.visibility}>
        <fieldset disabled={!allowed}>
          <Segments
            label={texts.visibility}
            options={visibilities}
            chosen={isHidden ? 'hidden' : 'shown'}
            onChoose={(chosen) => setValue('isHidden', chosen === 'hidden')}
          />
        </fieldset>
        {isHidden && <p className="small soft">{department ? texts.hiddenAbout : texts.hiddenDepartmentAbout}</p>}
      </div>
    </>
  );
}

interface PartsProps {
  form: Editing;
  allowed: boolean;
}

/** What its page shows and its garments are measured at. */
function CategoryParts({
  form,
  allowed,
  imageTypes,
  sizeSystems,
}: PartsProps & Pick<CategoryEditorProps, 'imageTypes' | 'sizeSystems'>) {
  const { draft, errorOf, field, setValue } = form;
  return (
    <>
      <div className={styles.page}>
        <TextArea label={texts.words} {...field('description')} rows={4} disabled={!allowed} note={texts.wordsAbout} />
        <PictureField
          picture={draft.picture}
          types={imageTypes}
          error={errorOf('picture')}
          disabled={!allowed}
          onChange={(picture) => setValue('picture', picture, { shouldValidate: true })}
        />
      </div>
      <div className={styles.words}>
        <Select label={texts.sizes} {...field('sizeSystem')} disabled={!allowed} note={texts.sizesAbout}>
          {sizeSystems.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <PointsField
        points={draft.measurementPoints}
        error={errorOf('measurementPoints')}
        disabled={!allowed}
        onChange={(points) => setValue('measurementPoints', points, { shouldValidate: true })}
      />
    </>
  );
}

const optionsOf = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ));

/** Whom its garments are for, as product feeds have it. */
function DepartmentParts({ form: { field }, allowed }: PartsProps) {
  return (
    <div className={styles.words}>
      <Select label={texts.gender} {...field('gender')} disabled={!allowed} note={texts.genderAbout}>
        {optionsOf(texts.genders)}
      </Select>
      <Select label={texts.ageGroup} {...field('ageGroup')} disabled={!allowed}>
        {optionsOf(texts.ageGroups)}
      </Select>
    </div>
  );
}

/** Where the list is not beside it, the heading has the focus of the link that led here. */
function useHeadingFocus() {
  const heading = useRef<HTMLHeadingElement>(null);
  const isAlone = useMedia('(max-width: 959.98px)');
  useEffect(() => {
    if (isAlone) heading.current?.focus();
  }, [isAlone]);
  return heading;
}

/** Everything of a department or a category, saved at once; two admins' changes are laid over each other on request. */
export function CategoryEditor(props: CategoryEditorProps) {
  const { row, department, imageTypes, sizeSystems, isGone, allowed, onChanged, renderActs } = props;
  const form = useEditing({ row, onChanged });
  const { base, changes, conflict, resolve } = form;
  const heading = useHeadingFocus();
  const isDirty = changes.length > 0;
  const guard = useLeaveGuard(isDirty);
  const errors = Object.keys(form.formState.errors).filter((name) => name !== 'root').length;

  return (
    <div className={styles.editor}>
      <div className={styles.title}>
        <h3 ref={heading} tabIndex={-1}>
          {base.name} {department && <span className="soft">in {department.name}</span>}
        </h3>
        <div className={styles.acts}>
          {renderActs(isDirty)}
          {!base.isHidden && !department?.isHidden && (
            <Link to={base.path} className="link small" reloadDocument>
              {texts.view}
            </Link>
          )}
          <HistoryLink kind={isCategory(base) ? 'category' : 'department'} id={base.key} />
        </div>
      </div>
      {isGone && <ErrorNote>{texts.gone}</ErrorNote>}
      {form.refusal && <ErrorNote>{form.refusal}</ErrorNote>}
      <form className={styles.parts} noValidate onSubmit={form.onSubmit} aria-label={base.name}>
        <Words form={form} department={department} allowed={allowed} />
        {isCategory(base) ? (
          <CategoryParts form={form} allowed={allowed} imageTypes={imageTypes} sizeSystems={sizeSystems} />
        ) : (
          <DepartmentParts form={form} allowed={allowed} />
        )}
        {isDirty && <UnsavedBar changes={changes} broken={errors} saving={form.isSending} onUndo={form.undo} />}
      </form>
      {conflict && (
        <ConflictDialog
          title={texts.changedMeanwhile(base.name)}
          theirs={form.theirs}
          mine={changes}
          onKeep={() => resolve(true)}
          onDiscard={() => resolve(false)}
        />
      )}
      <LeaveDialog guard={guard} changes={changes.map(({ label }) => label)} />
    </div>
  );
}
