import type { AdjustmentReason, PriceRounding, PriceStep } from '~/graphql/schema.generated';
import { Checkbox } from '~/ui/choice';
import { Field, Select } from '~/ui/field';
import styles from './bulk.module.css';
import { type BulkForm, type BulkKind, isPercent } from './bulk-change';

interface FieldsProps {
  form: BulkForm;
  onEdit: (edits: Partial<BulkForm>) => void;
}

export const reasons: Record<AdjustmentReason, string> = {
  RECEIVED: 'A delivery came in',
  COUNTED: 'Counted',
  DAMAGED: 'Damaged',
  ADJUSTMENT: 'Something else',
};

function Rounding({ form, onEdit }: FieldsProps) {
  return (
    <Select
      label="Round to"
      value={form.rounding}
      onChange={({ target }) => onEdit({ rounding: target.value as PriceRounding })}
    >
      <option value="CENT">The cent</option>
      <option value="DIME">Ten cents</option>
      <option value="DOLLAR">The dollar</option>
    </Select>
  );
}

function PriceFields({ form, onEdit }: FieldsProps) {
  return (
    <>
      <Select label="Prices" value={form.step} onChange={({ target }) => onEdit({ step: target.value as PriceStep })}>
        <option value="RAISE_PERCENT">Raise by percent</option>
        <option value="LOWER_PERCENT">Lower by percent</option>
        <option value="RAISE_AMOUNT">Raise by dollars</option>
        <option value="LOWER_AMOUNT">Lower by dollars</option>
        <option value="SET">Set to dollars</option>
      </Select>
      <div className={styles.pair}>
        <Field
          label={isPercent(form.step) ? 'Percent' : 'Dollars'}
          inputMode="decimal"
          value={form.amount}
          onChange={({ target }) => onEdit({ amount: target.value })}
        />
        <Rounding form={form} onEdit={onEdit} />
      </div>
    </>
  );
}

function DiscountFields({ form, onEdit }: FieldsProps) {
  return (
    <>
      <Checkbox checked={form.ends} onChange={({ target }) => onEdit({ ends: target.checked })}>
        Take the discount away
      </Checkbox>
      {!form.ends && (
        <>
          <div className={styles.pair}>
            <Field
              label="Percent off"
              inputMode="numeric"
              value={form.percent}
              onChange={({ target }) => onEdit({ percent: target.value })}
            />
            <Rounding form={form} onEdit={onEdit} />
          </div>
          <div className={styles.pair}>
            <Field
              label="Discount starts"
              type="datetime-local"
              value={form.startsAt}
              note="Optional. Your time zone."
              onChange={({ target }) => onEdit({ startsAt: target.value })}
            />
            <Field
              label="Discount ends"
              type="datetime-local"
              value={form.endsAt}
              note="Optional. Your time zone."
              onChange={({ target }) => onEdit({ endsAt: target.value })}
            />
          </div>
        </>
      )}
    </>
  );
}

function StockFields({ form, onEdit }: FieldsProps) {
  return (
    <>
      <div className={styles.pair}>
        <Select
          label="Each color and size"
          value={form.replaces ? 'set' : 'add'}
          onChange={({ target }) => onEdit({ replaces: target.value === 'set' })}
        >
          <option value="add">Gets more, or fewer</option>
          <option value="set">Has exactly</option>
        </Select>
        <Field
          label="Pieces"
          inputMode="numeric"
          value={form.pieces}
          note={form.replaces ? undefined : 'With a minus sign they are taken away.'}
          onChange={({ target }) => onEdit({ pieces: target.value })}
        />
      </div>
      <div className={styles.pair}>
        <Select
          label="Reason"
          value={form.reason}
          onChange={({ target }) => onEdit({ reason: target.value as AdjustmentReason })}
        >
          {Object.entries(reasons).map(([reason, words]) => (
            <option key={reason} value={reason}>
              {words}
            </option>
          ))}
        </Select>
        <Field
          label="Note (optional)"
          value={form.note}
          maxLength={200}
          onChange={({ target }) => onEdit({ note: target.value })}
        />
      </div>
    </>
  );
}

/** What has to be known of a change before it can be shown. */
export function BulkFields({ kind, form, onEdit }: FieldsProps & { kind: BulkKind }) {
  if (kind === 'price') return <PriceFields form={form} onEdit={onEdit} />;
  if (kind === 'discount') return <DiscountFields form={form} onEdit={onEdit} />;
  if (kind === 'stock') return <StockFields form={form} onEdit={onEdit} />;
  if (kind === 'restore') return <p>They are listed, found and sold again.</p>;
  return <p>They leave every list, search and cart. Past orders keep them, and they can be put on offer again.</p>;
}
