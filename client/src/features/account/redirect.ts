const unseen = /[\p{Cc}\\]/u;

/**
 * Where a visitor goes after signing in. `redirect` counts only with action=addToCart and only as an
 * address of this shop: a foreign origin, or a character that browsers drop or turn into a slash, leads home.
 */
export function redirectTarget(query: URLSearchParams, origin = window.location.origin): string {
  const redirect = query.get('redirect');
  if (query.get('action') !== 'addToCart' || !redirect || unseen.test(redirect)) return '/';
  if (!URL.canParse(redirect, origin)) return '/';

  const target = new URL(redirect, origin);
  return target.origin === origin ? target.pathname + target.search + target.hash : '/';
}

interface ChosenVariant {
  variantId: string;
  quantity: number;
}

/** What a visitor wanted to put in the cart before being asked to sign in; null when nothing was chosen. */
export function chosenVariant(query: URLSearchParams): ChosenVariant | null {
  const variantId = query.get('variant');
  if (query.get('action') !== 'addToCart' || !variantId) return null;

  const quantity = Number(query.get('quantity') ?? '1');
  return { variantId, quantity: Number.isInteger(quantity) && quantity >= 1 ? quantity : 1 };
}
