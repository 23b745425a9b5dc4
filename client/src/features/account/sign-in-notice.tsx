import { texts } from './texts';

/** Why a visitor who pressed Add to Cart is asked to sign in, and that the choice is not lost. */
export function SignInNotice({ note }: { note: string | null }) {
  return (
    <>
      <strong>{texts.signInFirst}</strong>. {note}
    </>
  );
}
