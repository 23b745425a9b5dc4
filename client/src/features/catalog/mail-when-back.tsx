import { useState } from 'react';
import { lazyPart } from '~/ui/lazy-part';
import styles from './product-buy.module.css';
import type { ProductChoice } from './use-product-choice';

const MailWhenBackDialog = lazyPart(() => import('./mail-when-back-dialog'));

interface MailWhenBackProps extends Pick<ProductChoice, 'sizes' | 'size'> {
  /** What is waited for: "Straight Jean, Indigo". */
  piece: string;
}

/** Offers a mail for the sold-out sizes of a color. */
export function MailWhenBack({ sizes, size, piece }: MailWhenBackProps) {
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      {sizes.some(({ soldOut }) => soldOut) && (
        <button type="button" className={`link ${styles.mail}`} aria-haspopup="dialog" onClick={() => setOpen(true)}>
          Mail me when one is back
        </button>
      )}
      {open !== undefined && (
        <MailWhenBackDialog open={open} sizes={sizes} size={size} piece={piece} onClose={() => setOpen(false)} />
      )}
    </>
  );
}
