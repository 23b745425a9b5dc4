import type { Size } from '~/graphql/catalogue';
import type { AdjustmentReason, ImportState, StockReason } from '~/graphql/schema.generated';
import { formatNumber } from '~/ui/format';

export const many = (value: number, one: string, more = `${one}s`) =>
  `${formatNumber(value)} ${value === 1 ? one : more}`;

/** With its sign; a true minus, as wide as the plus. */
export const signed = (value: number) => `${value > 0 ? '+' : '−'}${formatNumber(Math.abs(value))}`;

export const itemName = ({ name, color, size }: { name: string; color: string; size: Size }) =>
  `${name}, ${color} ${size}`;

export const reasons: Record<StockReason, string> = {
  OPENING: 'Opening',
  SALE: 'Sale',
  CANCELLATION: 'Cancellation',
  REFUND: 'Refund',
  RETURN: 'Return',
  RECEIVED: 'Delivery',
  COUNTED: 'Count',
  DAMAGED: 'Damaged',
  ADJUSTMENT: 'Adjustment',
  IMPORT: 'Import',
};

export const adjustmentReasons: readonly { value: AdjustmentReason; label: string }[] = [
  { value: 'RECEIVED', label: 'A delivery came in' },
  { value: 'COUNTED', label: 'Counted' },
  { value: 'DAMAGED', label: 'Damaged' },
  { value: 'ADJUSTMENT', label: 'Something else' },
];

export const states: Record<ImportState, string> = {
  CHECKING: 'Being checked',
  REFUSED: 'Refused',
  READY: 'Ready to start',
  RUNNING: 'Running',
  DONE: 'Done',
  DISCARDED: 'Discarded',
};
