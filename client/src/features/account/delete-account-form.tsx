import { valibotResolver } from '@hookform/resolvers/valibot';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { settled } from '~/graphql/settled';
import { useSession } from '~/session/use-session';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { PasswordField } from '~/ui/field';
import { toast } from '~/ui/toast';
import { useDeleteAccountMutation } from './profile.generated';
import { deleteAccountRules, type DeleteAccountValues } from './rules';
import { texts } from './texts';
import styles from './your-data.module.css';

interface DeleteAccountFormProps {
  /** An account made with Google has no password to ask for. */
  hasPassword: boolean;
  onClose: () => void;
}

/** Says what is lost and what stays, asks for the password, and leads home as a visitor. */
export function DeleteAccountForm({ hasPassword, onClose }: DeleteAccountFormProps) {
  const navigate = useNavigate();
  const { signedOut } = useSession();
  const [deleteAccount] = useDeleteAccountMutation();
  const { register, handleSubmit, setError, formState } = useForm<DeleteAccountValues>({
    ...(hasPassword && { resolver: valibotResolver(deleteAccountRules) }),
    defaultValues: { password: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ password }) => {
    const { data, said } = await settled(deleteAccount({ variables: hasPassword ? { password } : {} }));
    const result = data?.deleteAccount;
    if (result?.__typename !== 'Success') {
      const message = result?.message ?? said ?? texts.accountDeleteFailed;
      const atPassword = hasPassword && result?.field === 'password';
      return setError(atPassword ? 'password' : 'root', { message }, { shouldFocus: atPassword });
    }
    signedOut();
    toast.success(texts.accountDeleted);
    return navigate('/');
  });

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p>
        Your name, addresses, cart, wishlist and the mails you asked for are deleted, and every browser is signed out.
        What you ordered stays in our books, with the address it went to, but no longer as yours. This action cannot be
        undone.
      </p>
      {hasPassword && (
        <PasswordField
          {...register('password')}
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
        />
      )}
      {errors.root?.message && <ErrorNote>{errors.root.message}</ErrorNote>}
      <div className={styles.actions}>
        <Button small onClick={onClose}>
          Keep account
        </Button>
        <Button small kind="danger" type="submit" working={isSubmitting && 'Deleting ...'}>
          Delete account
        </Button>
      </div>
    </form>
  );
}
