import { Fragment, type ReactNode } from 'react';
import { reorder } from '~/features/admin/reorder';
import { Sortable, useSorted } from '~/features/admin/sortable';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import styles from './content.module.css';
import { type FieldForm, newPart, type PartDraft } from './page-draft';
import type { Change } from './use-page-draft';

interface PartsFieldProps {
  field: FieldForm;
  parts: readonly PartDraft[];
  error: string | undefined;
  onChange: (change: (parts: readonly PartDraft[]) => readonly PartDraft[]) => void;
  /** Shows a field of the part at a place. */
  renderField: (field: FieldForm, at: number, part: PartDraft, onChange: (change: Change) => void) => ReactNode;
}

/** Slides, questions: some parts of one kind, put into order, each with its fields. */
export function PartsField({ field, parts, error, onChange, renderField }: PartsFieldProps) {
  const { label, partLabel, most, parts: fields = [] } = field;
  const one = partLabel ?? label;

  const edit = (key: string, name: string, change: Change) =>
    onChange((now) =>
      now.map((part) =>
        part.key === key ? { ...part, values: { ...part.values, [name]: change(part.values[name] ?? '') } } : part,
      ),
    );

  return (
    <fieldset className={styles.parts}>
      <legend className="visually-hidden">{label}</legend>
      <Sortable
        inRows
        items={parts.map(({ key }, at) => ({ key, name: `${one} ${at + 1}` }))}
        onMove={(key, onto) => onChange((now) => reorder(now, key, onto))}
      >
        <ol className={styles.parts}>
          {parts.map((part, at) => (
            <Part
              key={part.key}
              part={part}
              name={`${one} ${at + 1}`}
              onRemove={() => onChange((now) => now.filter(({ key }) => key !== part.key))}
            >
              {fields.map((each) => (
                <Fragment key={each.name}>
                  {renderField(each, at, part, (change) => edit(part.key, each.name, change))}
                </Fragment>
              ))}
            </Part>
          ))}
        </ol>
      </Sortable>
      {error && <ErrorNote>{error}</ErrorNote>}
      <div>
        <Button
          small
          disabled={parts.length >= (most ?? Infinity)}
          onClick={() => onChange((now) => [...now, newPart(fields)])}
        >
          Add a {one.toLowerCase()}
        </Button>
      </div>
    </fieldset>
  );
}

interface PartProps {
  part: PartDraft;
  name: string;
  onRemove: () => void;
  children: ReactNode;
}

function Part({ part, name, onRemove, children }: PartProps) {
  const { grip, item } = useSorted(part.key, { label: `Move ${name}` });
  return (
    <li {...item}>
      <div className={styles.partHead}>
        {grip}
        <h4>{name}</h4>
        <button type="button" className="link small" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </button>
      </div>
      <div className={styles.fields}>{children}</div>
    </li>
  );
}
