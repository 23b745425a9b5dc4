import { Field, Select } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
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
  const { after, clearErrors, field, how, isSending, onSubmit, setValue } = useAdjustment(level, onDone);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Esc bubbles here from the fields.
    <form
      className={styles.form}
      aria-label={`${texts.adjust} ${level.item.sku}`}
      noValidate
      onSubmit={onSubmit}
      onChange={() => clearErrors()}
      onKeyDown={({ key }) => {
        if (key === 'Escape') onCancel();
      }}
    >
      <Segments label="Change" options={ways} chosen={how} onChoose={(way) => setValue('how', way)} />
      <Field
        label="Pieces"
        inputMode="numeric"
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the row was opened to type here.
        autoFocus
        {...field('pieces')}
        placeholder={how === 'by' ? '+5 or -2' : undefined}
      />
      <Select label={texts.reason} {...field('reason')}>
        {adjustmentReasons.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </Select>
      <Field label={texts.note} {...field('note')} maxLength={500} autoComplete="off" />
      <FormEnd submit={texts.save} working={isSending && texts.saving} cancel={texts.cancel} onCancel={onCancel} />
      {after !== null && after !== level.stock && after >= 0 && (
        <p className={styles.outcome} role="status">
          {texts.outcome(level.stock, after)}
        </p>
      )}
    </form>
  );
}
