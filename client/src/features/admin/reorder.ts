/** A list in which one item has the place of another; those between make room. */
export function reorder<Item extends { key: string }>(items: readonly Item[], key: string, onto: string): Item[] {
  const to = items.findIndex((item) => item.key === onto);
  const item = items.find((one) => one.key === key);
  if (!item || to < 0) return [...items];
  const rest = items.filter((one) => one !== item);
  rest.splice(to, 0, item);
  return rest;
}
