import { useRef, useState } from 'react';
import * as v from 'valibot';
import type { Size } from '~/graphql/catalogue';
import { useSentForm } from '~/graphql/use-sent-form';
import { useUser } from '~/session/use-session';
import { Dialog } from '~/ui/dialog';
import { Field, Select } from '~/ui/field';
import { FormEnd } from '~/ui/form-end';
import styles from './mail-when-back-dialog.module.css';
import { useNotifyWhenBackMutation } from './mail-when-back.generated';
import { texts } from './texts';
import type { ProductChoice } from './use-product-choice';

interface MailWhenBackFormProps {
  missing: readonly { size: Size; variantId: string }[];
  size: Size | null;
  piece: string;
  /** The mail will come; in words. */
  onPromised: (words: string) => void;
  onClose: () => void;
}

const rules = v.object({ variantId: v.string(), email: v.string() });

/** Asks for one mail. A size that has come back meanwhile is shown as in stock at once. */
function useMailWhenBack({ missing, size, onPromised, onClose }: MailWhenBackFormProps) {
  const user = useUser();
  const [notifyWhenBack] = useNotifyWhenBackMutation({
    update(cache, { data }) {
      const result = data?.notifyWhenBack;
      if (result?.__typename !== 'AlreadyInStock') return;
      const id = cache.identify({ __typename: 'Variant', id: result.variantId });
      if (id) cache.modify({ id, fields: { stock: () => result.available } });
    },
  });

  return useSentForm({
    rules,
    defaultValues: {
      variantId: (missing.find((one) => one.size === size) ?? missing[0])?.variantId ?? '',
      email: user?.email ?? '',
    },
    send: (variables) => notifyWhenBack({ variables }),
    done: ['StockAlert', 'AlreadyInStock'],
    onDone: (result, { getValues }) => {
      const chosenSize = missing.find(({ variantId }) => variantId === getValues('variantId'))?.size;
      onPromised(
        result.__typename === 'StockAlert'
          ? `We will write to ${result.email} once, when ${chosenSize} is back.`
          : `${chosenSize} is back already.`,
      );
      onClose();
    },
    otherwise: texts.mailFailed,
  });
}

function MailWhenBackForm(props: MailWhenBackFormProps) {
  const { missing, piece, onClose } = props;
  const { field, isSending, onSubmit, refusal } = useMailWhenBack(props);

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>{piece}. One mail comes when your size is in stock again, and nothing else.</p>
      <Select label="Size" {...field('variantId')}>
        {missing.map((one) => (
          <option key={one.variantId} value={one.variantId}>
            {one.size}
          </option>
        ))}
      </Select>
      <Field label="E-mail" type="email" autoComplete="email" {...field('email')} />
      <FormEnd refusal={refusal} submit="Mail me" working={isSending && 'Asking ...'} onCancel={onClose} />
    </form>
  );
}

interface MailWhenBackDialogProps extends Pick<ProductChoice, 'sizes' | 'size'> {
  open: boolean;
  piece: string;
  onClose: () => void;
}

/** For which size and whereto; what was promised then stands where it was asked for. */
export default function MailWhenBackDialog({ open, sizes, size, piece, onClose }: MailWhenBackDialogProps) {
  const [promised, setPromised] = useState('');
  const messageRef = useRef<HTMLParagraphElement>(null);
  const missing = sizes.flatMap((one) =>
    one.soldOut && one.variant ? { size: one.size, variantId: one.variant.id } : [],
  );

  function close() {
    onClose();
    // What opened the dialog goes when the last size has come back meanwhile.
    if (document.activeElement === document.body) messageRef.current?.focus();
  }

  return (
    <>
      <p ref={messageRef} className={styles.promised} role="status" tabIndex={-1}>
        {promised}
      </p>
      <Dialog open={open} title="Mail me when one is back" onClose={close}>
        <MailWhenBackForm missing={missing} size={size} piece={piece} onPromised={setPromised} onClose={close} />
      </Dialog>
    </>
  );
}
