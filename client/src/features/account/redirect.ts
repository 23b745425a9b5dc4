const unseen = /[\p{Cc}\\]/u;

/** Pages that need a sign-in. Links in mails lead to them. */
const needsSignIn = /^\/(account|cart|checkout|payment|add-address|edit-address|admin)(\/|$)/;

/**
 * Where a visitor goes after signing in. `redirect` counts with action=addToCart, or where it names a page that needs a
 * sign-in, and only as an address of this shop: a foreign origin, or a character that browsers drop or turn into a
 * slash, leads home.
 */
export function redirectTarget(query: URLSearchParams, origin = window.location.origin): string {
  const redirect = query.get('redirect');
  if (!redirect || unseen.test(redirect) || !URL.canParse(redirect, origin)) return '/';

  const target = new URL(redirect, origin);
  if (query.get('action') !== 'addToCart' && !needsSignIn.test(target.pathname)) return '/';
  return target.origin === origin ? target.pathname + target.search + target.hash : '/';
}

const product = /^\/product\/([^/?#\p{Cc}\\]+)$/u;

/**
 * The product at which a visitor pressed Add to Cart before being asked to sign in. Read from the path as this shop writes
 * it: the server renders the page too, and has no `URL`.
 */
export function chosenProduct(query: URLSearchParams): string | undefined {
  return query.get('action') === 'addToCart' ? product.exec(query.get('redirect') ?? '')?.[1] : undefined;
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
