import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { randomId } from '~/ui/random-id';
import type { DetailDraft } from './product-draft';
import styles from './product-form.module.css';

interface DetailsEditorProps {
  details: readonly DetailDraft[];
  error?: string | undefined;
  onChange: (details: DetailDraft[]) => void;
}

/** Facts in the order that the product's page shows them: cloth, fit, care. */
export function DetailsEditor({ details, error, onChange }: DetailsEditorProps) {
  const change = (key: string, edits: Partial<DetailDraft>) =>
    onChange(details.map((detail) => (detail.key === key ? { ...detail, ...edits } : detail)));

  return (
    <div className={styles.part} role="group" aria-label="Details">
      {details.map((detail, index) => (
        <div key={detail.key} className={styles.detail}>
          <Field
            label={`Name of detail ${index + 1}`}
            labelHidden
            value={detail.label}
            placeholder="For example, Care"
            onChange={({ target }) => change(detail.key, { label: target.value })}
          />
          <Field
            label={`Text of detail ${index + 1}`}
            labelHidden
            value={detail.text}
            placeholder="For example, Wash at 40 °C."
            onChange={({ target }) => change(detail.key, { text: target.value })}
          />
          <button
            type="button"
            className="link small"
            aria-label={`Remove ${detail.label || `detail ${index + 1}`}`}
            onClick={() => onChange(details.filter(({ key }) => key !== detail.key))}
          >
            Remove
          </button>
        </div>
      ))}
      {error && <ErrorNote>{error}</ErrorNote>}
      <div>
        <Button small onClick={() => onChange([...details, { key: randomId(), label: '', text: '' }])}>
          Add detail
        </Button>
      </div>
    </div>
  );
}
