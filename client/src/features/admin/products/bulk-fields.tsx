import type { UseFormRegister } from 'react-hook-form';
import type { AdjustmentReason } from '~/graphql/schema.generated';
import { Checkbox } from '~/ui/choice';
import { Field, Select } from '~/ui/field';
import styles from './bulk.module.css';
import { type BulkForm, type BulkKind, isPercent } from './bulk-change';

interface FieldsProps {
  form: BulkForm;
  register: UseFormRegister<BulkForm>;
}

export const reasons: Record<AdjustmentReason, string> = {
  RECEIVED: 'A delivery came in',
  COUNTED: 'Counted',
  DAMAGED: 'Damaged',
  ADJUSTMENT: 'Something else',
};

function Rounding({ register }: Pick<FieldsProps, 'register'>) {
  return (
    <Select label="Round to" {...register('rounding')}>
      <option value="CENT">The cent</option>
      <option value="DIME">Ten cents</option>
      <option value="DOLLAR">The dollar</option>
    </Select>
  );
}

function PriceFields({ form, register }: FieldsProps) {
  return (
    <>
      <Select label="Prices" {...register('step')}>
        <option value="RAISE_PERCENT">Raise by percent</option>
        <option value="LOWER_PERCENT">Lower by percent</option>
        <option value="RAISE_AMOUNT">Raise by dollars</option>
        <option value="LOWER_AMOUNT">Lower by dollars</option>
        <option value="SET">Set to dollars</option>
      </Select>
      <div className={styles.pair}>
        <Field label={isPercent(form.step) ? 'Percent' : 'Dollars'} inputMode="decimal" {...register('amount')} />
        <Rounding register={register} />
      </div>
    </>
  );
}

function DiscountFields({ form, register }: FieldsProps) {
  return (
    <>
      <Checkbox {...register('ends')}>Take the discount away</Checkbox>
      {!form.ends && (
        <>
          <div className={styles.pair}>
            <Field label="Percent off" inputMode="numeric" {...register('percent')} />
            <Rounding register={register} />
          </div>
          <div className={styles.pair}>
            <Field
              label="Discount starts"
              type="datetime-local"
              {...register('startsAt')}
              note="Optional. By the shop’s clock."
            />
            <Field
              label="Discount ends"
              type="datetime-local"
              {...register('endsAt')}
              note="Optional. By the shop’s clock."
            />
          </div>
        </>
      )}
    </>
  );
}

function StockFields({ form, register }: FieldsProps) {
  return (
    <>
      <div className={styles.pair}>
        <Select label="Each color and size" {...register('effect')}>
          <option value="add">Gets more, or fewer</option>
          <option value="set">Has exactly</option>
        </Select>
        <Field
          label="Pieces"
          inputMode="numeric"
          {...register('pieces')}
          note={form.effect === 'set' ? undefined : 'With a minus sign they are taken away.'}
        />
      </div>
      <div className={styles.pair}>
        <Select label="Reason" {...register('reason')}>
          {Object.entries(reasons).map(([reason, words]) => (
            <option key={reason} value={reason}>
              {words}
            </option>
          ))}
        </Select>
        <Field label="Note (optional)" {...register('note')} maxLength={200} />
      </div>
    </>
  );
}

/** What has to be known of a change before it can be shown. */
export function BulkFields({ kind, form, register }: FieldsProps & { kind: BulkKind }) {
  if (kind === 'price') return <PriceFields form={form} register={register} />;
  if (kind === 'discount') return <DiscountFields form={form} register={register} />;
  if (kind === 'stock') return <StockFields form={form} register={register} />;
  if (kind === 'restore') return <p>They are listed, found and sold again.</p>;
  return <p>They leave every list, search and cart. Past orders keep them, and they can be put on offer again.</p>;
}
