/** The sign-in page that brings a visitor back to the product, with the choice put in the cart on the way. */
export function signInToAdd(productId: string, variantId: string, quantity: number): string {
  const query = new URLSearchParams({
    redirect: `/product/${productId}`,
    action: 'addToCart',
    variant: variantId,
    quantity: String(quantity),
  });
  return `/signin?${query}`;
}
