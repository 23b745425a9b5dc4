import { useNavigate } from 'react-router';
import { chosenProduct, chosenVariant, redirectTarget } from '~/features/account/redirect';
import { useAddToCartMutation } from '~/features/cart/add-to-cart-button.generated';
import { texts as cartTexts } from '~/features/cart/texts';
import { toResult } from '~/graphql/settled';
import type { SessionUserFragment } from '~/session/session.generated';
import { useSession } from '~/session/use-session';
import { track } from '~/session/visit';
import { toast } from '~/ui/toast';
import { useSearchParams } from '~/ui/use-search-params';
import { useAuthPageQuery } from './auth-page.generated';

/** Finishes a sign-in: adds what the visitor had chosen, once, and leads on to where it was chosen. */
export function useAfterSignIn() {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const { signedIn } = useSession();
  const [addToCart] = useAddToCartMutation();

  return async (viewer: SessionUserFragment) => {
    signedIn(viewer);
    const target = redirectTarget(query);
    const chosen = chosenVariant(query);
    if (!chosen || target === '/') return navigate(target, { replace: true });

    const { data } = await toResult(addToCart({ variables: chosen }));
    const result = data?.addToCart;
    if (result?.__typename === 'Cart') {
      const productId = chosenProduct(query);
      if (productId) track('added', [productId]);
      return navigate(target, { replace: true, state: { added: chosen } });
    }

    toast.error(result ? `${cartTexts.addFailed}. ${result.message}` : cartTexts.addFailed);
    const choice = new URLSearchParams({ variant: chosen.variantId, quantity: String(chosen.quantity) });
    return navigate(`${target}?${choice}`, { replace: true });
  };
}

/** What both pages show beside their form, and what they say the visitor came for. */
export function useAuthPage() {
  const [query] = useSearchParams();
  const productId = chosenProduct(query);
  const { data } = useAuthPageQuery({
    variables: { productId: productId ?? '', hasProduct: productId !== undefined },
  });
  const product = data?.product;
  const variant = product?.variants.find(({ id }) => id === chosenVariant(query)?.variantId);
  const images = product
    ? product.colors.find(({ id }) => id === variant?.color.id)?.images
    : data?.products?.nodes[0]?.images;

  return {
    search: query.size > 0 ? `?${query}` : '',
    googleClientId: data?.shop.googleClientId,
    picture: images?.at(-1),
    note: product && variant ? `The ${product.name} in ${variant.size} is kept for you.` : null,
    addsToCart: query.get('action') === 'addToCart',
  };
}
