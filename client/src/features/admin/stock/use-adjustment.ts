import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import type { AdjustmentReason } from '~/graphql/schema.generated';
import { parseWhole } from '~/ui/amount';
import { toast } from '~/ui/toast';
import { type StockLevelFragment, useAdjustStockMutation } from './stock.generated';
import { texts } from './texts';
import { adjustmentReasons } from './words';

export interface Adjustment {
  how: 'by' | 'to';
  pieces: string;
  reason: AdjustmentReason;
  note: string;
}

const MOST = 9_999_999;
const empty: Adjustment = { how: 'by', pieces: '', reason: 'RECEIVED', note: '' };

/** What stock would be afterwards; null while the form says no whole number. */
function outcomeOf({ how, pieces }: Pick<Adjustment, 'how' | 'pieces'>, stock: number): number | null {
  const { value } = parseWhole(pieces.replace('−', '-'), { signed: how === 'by' });
  if (value === null || Math.abs(value) > MOST) return null;
  return how === 'by' ? stock + value : value;
}

function rulesFor(stock: number) {
  const typed = v.object({
    how: v.picklist(['by', 'to']),
    pieces: v.string(),
    reason: v.picklist(adjustmentReasons.map(({ value }) => value)),
    note: v.string(),
  });
  return v.pipe(
    typed,
    v.forward(
      v.check((form) => outcomeOf(form, stock) !== null, texts.wholeNumber),
      ['pieces'],
    ),
    v.forward(
      v.check((form) => outcomeOf(form, stock) !== stock, texts.unchanged),
      ['pieces'],
    ),
    v.forward(
      v.check(({ reason, note }) => reason !== 'ADJUSTMENT' || note.trim() !== '', texts.noteRequired),
      ['note'],
    ),
  );
}

/** One correction of one item's stock, from the first key to the server's answer. */
export function useAdjustment(level: StockLevelFragment, onDone: () => void) {
  const [adjustStock] = useAdjustStockMutation();
  const form = useSentForm({
    rules: rulesFor(level.stock),
    defaultValues: empty,
    send: ({ how, reason, note, ...typed }) => {
      const after = outcomeOf({ how, ...typed }, level.stock) ?? level.stock;
      const change = how === 'by' ? { by: after - level.stock } : { to: after };
      return adjustStock({ variables: { changes: [{ variantId: level.id, ...change }], reason, note } });
    },
    done: 'StockAdjusted',
    onDone: ({ levels }) => {
      toast.success(texts.adjusted(level.item.sku, levels[0]?.stock ?? level.stock));
      onDone();
    },
    otherwise: texts.adjustFailed,
    // What is refused as a whole is about the pieces.
    fields: { root: 'pieces' },
  });
  const { how, pieces } = form.watch();

  return { ...form, how, after: outcomeOf({ how, pieces }, level.stock) };
}
