import { lazy, Suspense, useRef, useState } from 'react';
import styles from './product-buy.module.css';
import type { ProductChoice } from './use-product-choice';

const MailWhenBackDialog = lazy(() => import('./mail-when-back-dialog'));

interface MailWhenBackProps extends Pick<ProductChoice, 'sizes' | 'size'> {
  /** What is waited for: "Straight Jean, Indigo". */
  piece: string;
}

/** Offers a mail for the sold-out sizes of a color, and says afterwards that it will come. */
export function MailWhenBack({ sizes, size, piece }: MailWhenBackProps) {
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(false);
  const [promised, setPromised] = useState('');
  const said = useRef<HTMLParagraphElement>(null);
  const missing = sizes.flatMap((one) =>
    one.soldOut && one.variant ? { size: one.size, variantId: one.variant.id } : [],
  );

  function close() {
    setOpen(false);
    // What opened the dialog goes when the last size has come back meanwhile.
    if (document.activeElement === document.body) said.current?.focus();
  }

  return (
    <>
      {missing.length > 0 && (
        <button
          type="button"
          className={`link ${styles.mail}`}
          aria-haspopup="dialog"
          onClick={() => {
            setAsked(true);
            setOpen(true);
          }}
        >
          Mail me when one is back
        </button>
      )}
      <p ref={said} className={styles.promised} role="status" tabIndex={-1}>
        {promised}
      </p>
      {asked && (
        <Suspense>
          <MailWhenBackDialog
            open={open}
            missing={missing}
            size={size}
            piece={piece}
            onPromised={setPromised}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
