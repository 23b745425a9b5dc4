import { type FormEvent, useRef, useState } from 'react';
import { settled } from '~/graphql/settled';
import type { Size } from '~/graphql/schema.generated';
import { useUser } from '~/session/use-session';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { ErrorNote } from '~/ui/error-note';
import { Field, Select } from '~/ui/field';
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

interface Refusal {
  email?: string;
  form?: string;
}

/** Asks for one mail. A size that has come back meanwhile is shown as in stock at once. */
function useMailWhenBack({ missing, onPromised, onClose }: MailWhenBackFormProps) {
  const [refusal, setRefusal] = useState<Refusal>({});
  const [notifyWhenBack, { loading }] = useNotifyWhenBackMutation({
    update(cache, { data }) {
      const result = data?.notifyWhenBack;
      if (result?.__typename !== 'AlreadyInStock') return;
      const id = cache.identify({ __typename: 'Variant', id: result.variantId });
      if (id) cache.modify({ id, fields: { stock: () => result.available } });
    },
  });

  /** False when the address is at fault. */
  async function ask(variantId: string, email: string): Promise<boolean> {
    setRefusal({});
    const size = missing.find((one) => one.variantId === variantId)?.size;
    const { data, said } = await settled(notifyWhenBack({ variables: { variantId, email } }));
    const result = data?.notifyWhenBack;
    if (result?.__typename === 'StockAlert' || result?.__typename === 'AlreadyInStock') {
      onPromised(
        result.__typename === 'StockAlert'
          ? `We will write to ${result.email} once, when ${size} is back.`
          : `${size} is back already.`,
      );
      onClose();
      return true;
    }
    if (result?.__typename === 'InvalidInput') {
      setRefusal({ email: result.errors[0]?.message ?? result.message });
      return false;
    }
    setRefusal({ form: result?.message ?? said ?? texts.mailFailed });
    return true;
  }

  return { ask, refusal, loading };
}

function MailWhenBackForm(props: MailWhenBackFormProps) {
  const { missing, size, piece, onClose } = props;
  const { ask, refusal, loading } = useMailWhenBack(props);
  const user = useUser();
  const [email, setEmail] = useState(user?.email ?? '');
  const [variantId, setVariantId] = useState((missing.find((one) => one.size === size) ?? missing[0])?.variantId ?? '');
  const field = useRef<HTMLInputElement>(null);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!(await ask(variantId, email))) field.current?.focus();
  }

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p>{piece}. One mail comes when your size is in stock again, and nothing else.</p>
      <Select label="Size" value={variantId} onChange={({ target }) => setVariantId(target.value)}>
        {missing.map((one) => (
          <option key={one.variantId} value={one.variantId}>
            {one.size}
          </option>
        ))}
      </Select>
      <Field
        ref={field}
        label="E-mail"
        type="email"
        autoComplete="email"
        value={email}
        error={refusal.email}
        onChange={({ target }) => setEmail(target.value)}
      />
      {refusal.form && <ErrorNote>{refusal.form}</ErrorNote>}
      <div className={styles.actions}>
        <Button small onClick={onClose}>
          Cancel
        </Button>
        <Button small kind="primary" type="submit" working={loading && 'Asking ...'}>
          Mail me
        </Button>
      </div>
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
  const said = useRef<HTMLParagraphElement>(null);
  const missing = sizes.flatMap((one) =>
    one.soldOut && one.variant ? { size: one.size, variantId: one.variant.id } : [],
  );

  function close() {
    onClose();
    // What opened the dialog goes when the last size has come back meanwhile.
    if (document.activeElement === document.body) said.current?.focus();
  }

  return (
    <>
      <p ref={said} className={styles.promised} role="status" tabIndex={-1}>
        {promised}
      </p>
      <Dialog open={open} title="Mail me when one is back" onClose={close}>
        <MailWhenBackForm missing={missing} size={size} piece={piece} onPromised={setPromised} onClose={close} />
      </Dialog>
    </>
  );
}
