interface LinkedProduct {
  id: string;
  colors: readonly { id: string; name: string }[];
}

/** The address of a product in one of its colors; the first needs no mention. */
export function productLink({ id, colors }: LinkedProduct, colorId?: string): string {
  const place = colors.findIndex((color) => color.id === colorId);
  const name = place > 0 ? colors[place]?.name : undefined;
  return name ? `/product/${id}?${new URLSearchParams({ color: name })}` : `/product/${id}`;
}
