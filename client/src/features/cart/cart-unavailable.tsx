import { ButtonLink } from '~/ui/button';
import { Failure } from '~/ui/empty';
import { texts } from './cart-texts';

/** The cart did not load, in the server's words if it had any; nothing in it is lost. */
export function CartUnavailable({ message }: { message: string | undefined }) {
  return (
    <Failure as="h1" title={texts.failed} action={<ButtonLink to="/">{texts.returnHome}</ButtonLink>}>
      <strong>{message ?? texts.loadFailed}</strong>
      <br />
      {texts.nothingLost}
    </Failure>
  );
}
