import { type SubmitEvent, useRef } from 'react';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { AlertIcon } from '~/ui/icons';
import type { CartTotalsFragment } from './cart-summary.generated';
import styles from './discount-code.module.css';
import { texts } from './cart-texts';
import { useDiscountCode } from './use-discount-code';

/** Where a discount code is typed; once it is in, why it does not count if it does not, and the way out. */
export function DiscountCode({ cart }: { cart: CartTotalsFragment }) {
  const { apply, checking, refusal, remove, removing } = useDiscountCode(cart);
  const place = useRef<HTMLDivElement>(null);
  const used = cart.discountCode;

  async function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    // From the field itself, where it may have been typed before the script was there.
    const typed = new FormData(event.currentTarget).get('code');
    if (checking || !(await apply(String(typed)))) return;
    place.current?.focus();
  }

  return (
    <div ref={place} className={styles.place} tabIndex={-1}>
      {used ? (
        <div className={styles.used}>
          <p>
            <span className={styles.code}>{used.code}</span>
            {used.problem && (
              <span className={styles.problem}>
                <AlertIcon size={16} />
                <span role="status">{used.problem}</span>
              </span>
            )}
          </p>
          <button
            type="button"
            className="link small"
            aria-label={`Remove the code ${used.code}`}
            disabled={removing}
            onClick={() => {
              remove();
              place.current?.focus();
            }}
          >
            Remove
          </button>
        </div>
      ) : (
        <form method="post" className={styles.form} noValidate onSubmit={(event) => void submit(event)}>
          <Field
            label={texts.code}
            name="code"
            maxLength={60}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            end={
              <Button type="submit" small working={checking && texts.codeChecking}>
                {texts.codeApply}
              </Button>
            }
          />
          {refusal && <ErrorNote>{refusal}</ErrorNote>}
        </form>
      )}
    </div>
  );
}
