import { Button } from '~/ui/button';
import { Field, Select } from '~/ui/field';
import { Segments } from '~/ui/segments';
import type { StockLevelFragment } from './stock.generated';
import styles from './stock.module.css';
import { texts } from './texts';
import { useAdjustment } from './use-adjustment';
import { adjustmentReasons } from './words';

const ways = [
  { value: 'by', label: texts.by },
  { value: 'to', label: texts.to },
] as const;

interface AdjustFormProps {
  level: StockLevelFragment;
  onDone: () => void;
  onCancel: () => void;
}

/** Stock changed by hand, in the row of the item itself; Esc leaves it. */
export function AdjustForm({ level, onDone, onCancel }: AdjustFormProps) {
  const { form, edit, save, problem, saving, after } = useAdjustment(level, onDone);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc bubbles here from the fields.
    <form
      className={styles.form}
      aria-label={`${texts.adjust} ${level.item.sku}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onCancel();
      }}
    >
      <Segments label="Change" options={ways} chosen={form.how} onChoose={(how) => edit({ how })} />
      <Field
        label="Pieces"
        inputMode="numeric"
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the row was opened to type here.
        autoFocus
        value={form.pieces}
        error={problem.pieces}
        placeholder={form.how === 'by' ? '+5 or -2' : undefined}
        onChange={({ target }) => edit({ pieces: target.value })}
      />
      <Select
        label={texts.reason}
        value={form.reason}
        onChange={({ target }) => {
          const [chosen] = adjustmentReasons.filter(({ value }) => value === target.value);
          if (chosen) edit({ reason: chosen.value });
        }}
      >
        {adjustmentReasons.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Field
        label={texts.note}
        value={form.note}
        maxLength={500}
        autoComplete="off"
        error={problem.note}
        onChange={({ target }) => edit({ note: target.value })}
      />
      <div className={styles.actions}>
        <Button small kind="primary" type="submit" working={saving && texts.saving}>
          {texts.save}
        </Button>
        <Button small onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
      {after !== null && after !== level.stock && after >= 0 && (
        <p className={styles.outcome} role="status">
          {texts.outcome(level.stock, after)}
        </p>
      )}
    </form>
  );
}
