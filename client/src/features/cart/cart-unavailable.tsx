import { ButtonLink } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { texts } from './texts';

/** The cart did not load; nothing in it is lost. */
export function CartUnavailable() {
  return (
    <Failure as="h1" title={texts.failed} action={<ButtonLink to="/">{texts.returnHome}</ButtonLink>}>
      {texts.loadFailed}. Your cart is safe and nothing was charged.
    </Failure>
  );
}
