import type { OrderCardFragment } from './order.generated';

type Sold = Pick<OrderCardFragment, 'returnableUntil' | 'lines' | 'returns'>;

/** Pieces of one line that the shopper has already asked to send back; a refused or ended return gives them free again. */
export function piecesAskedBack({ returns }: Pick<Sold, 'returns'>, lineId: string): number {
  const open = returns.filter(({ status }) => status !== 'REFUSED' && status !== 'CANCELED');
  const same = open.flatMap(({ lines }) => lines).filter(({ line }) => line.id === lineId);
  return same.reduce((sum, { quantity }) => sum + quantity, 0);
}

/** The lines that pieces of can still be sent back, each with how many: sent ones; none once the time is over. */
export function returnableLines(order: Sold) {
  if (!order.returnableUntil) return [];
  return order.lines
    .map((line) => ({ line, left: line.shipped - piecesAskedBack(order, line.id) }))
    .filter(({ left }) => left > 0);
}
