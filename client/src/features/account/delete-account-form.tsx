import { useNavigate } from 'react-router';
import * as v from 'valibot';
import { useSentForm } from '~/graphql/use-sent-form';
import { useSession } from '~/session/use-session';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { PasswordField } from '~/ui/field';
import { useDeleteAccountMutation } from './profile.generated';
import { deleteAccountRules } from './rules';
import { texts } from './texts';
import styles from './your-data.module.css';

interface DeleteAccountFormProps {
  /** An account made with Google has no password to ask for. */
  hasPassword: boolean;
  onClose: () => void;
}

const withoutPassword = v.object({ password: v.string() });

/** Says what is lost and what stays, asks for the password, and leads home as a visitor. */
export function DeleteAccountForm({ hasPassword, onClose }: DeleteAccountFormProps) {
  const navigate = useNavigate();
  const { signedOut } = useSession();
  const [deleteAccount] = useDeleteAccountMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules: hasPassword ? deleteAccountRules : withoutPassword,
    defaultValues: { password: '' },
    send: ({ password }) => deleteAccount({ variables: hasPassword ? { password } : {} }),
    done: 'Success',
    onDone() {
      signedOut();
      return navigate('/');
    },
    success: texts.accountDeleted,
    otherwise: texts.accountDeleteFailed,
    fields: hasPassword ? {} : { password: 'root' },
  });

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>
        Your name, addresses, cart, wishlist and the mails you asked for are deleted, and every browser is signed out.
        What you ordered stays in our books, with the address it went to, but no longer as yours. This action cannot be
        undone.
      </p>
      {hasPassword && <PasswordField {...field('password')} label="Password" autoComplete="current-password" />}
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.actions}>
        <Button small onClick={onClose}>
          Keep account
        </Button>
        <Button small kind="danger" type="submit" working={isSending && 'Deleting ...'}>
          Delete account
        </Button>
      </div>
    </form>
  );
}
