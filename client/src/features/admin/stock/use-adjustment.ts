import { useState } from 'react';
import type { AdjustmentReason } from '~/graphql/schema.generated';
import { settled } from '~/graphql/settled';
import { parseWhole } from '~/ui/amount';
import { toast } from '~/ui/toast';
import { type StockLevelFragment, useAdjustStockMutation } from './stock.generated';
import { texts } from './texts';

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

function problemOf(form: Adjustment, stock: number): Partial<Record<'pieces' | 'note', string>> {
  const after = outcomeOf(form, stock);
  if (after === null) return { pieces: texts.wholeNumber };
  if (after === stock) return { pieces: texts.unchanged };
  return form.reason === 'ADJUSTMENT' && !form.note.trim() ? { note: texts.noteRequired } : {};
}

/** One correction of one item's stock, from the first key to the server's answer. */
export function useAdjustment(level: StockLevelFragment, onDone: () => void) {
  const [form, setForm] = useState(empty);
  const [problem, setProblem] = useState<ReturnType<typeof problemOf>>({});
  const [adjustStock, { loading }] = useAdjustStockMutation();

  function edit(edits: Partial<Adjustment>) {
    setForm({ ...form, ...edits });
    setProblem({});
  }

  async function save() {
    const found = problemOf(form, level.stock);
    setProblem(found);
    const after = outcomeOf(form, level.stock);
    if (Object.keys(found).length > 0 || after === null) return;
    const change = form.how === 'by' ? { by: after - level.stock } : { to: after };
    const variables = { changes: [{ variantId: level.id, ...change }], reason: form.reason, note: form.note };
    const { data, said } = await settled(adjustStock({ variables }));
    const result = data?.adjustStock;
    if (result?.__typename === 'StockAdjusted') {
      toast.success(texts.adjusted(level.item.sku, result.levels[0]?.stock ?? after));
      onDone();
    } else {
      const words = result?.message ?? said ?? texts.adjustFailed;
      setProblem(result?.field === 'note' ? { note: words } : { pieces: words });
    }
  }

  return { form, edit, save, problem, saving: loading, after: outcomeOf(form, level.stock) };
}
