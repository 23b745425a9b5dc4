import { valibotResolver } from '@hookform/resolvers/valibot';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { settled } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { PasswordField } from '~/ui/field';
import { toast } from '~/ui/toast';
import { useResetPasswordMutation } from './auth.generated';
import styles from './form.module.css';
import { type ResetPasswordValues, resetPasswordRules } from './rules';
import { texts } from './texts';

/** Sets a new password by the right of the mailed link's token. */
export function ResetPasswordForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const [resetPassword] = useResetPasswordMutation();
  const { register, handleSubmit, setError, formState } = useForm<ResetPasswordValues>({
    resolver: valibotResolver(resetPasswordRules),
    defaultValues: { password: '', confirmation: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ password }) => {
    const { data, said } = await settled(resetPassword({ variables: { token, newPassword: password } }));
    const result = data?.resetPassword;
    if (result?.__typename === 'Success') {
      toast.success(texts.passwordReset);
      return navigate('/signin');
    }
    const message = result?.message ?? said ?? texts.passwordResetFailed;
    setError('root', { message });
    return toast.error(message);
  });

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <PasswordField
        {...register('password')}
        label={texts.newPassword}
        labelHidden
        placeholder={texts.newPassword}
        autoComplete="new-password"
        error={errors.password?.message}
      />
      <PasswordField
        {...register('confirmation')}
        label={texts.confirmPassword}
        labelHidden
        placeholder={texts.confirmPassword}
        autoComplete="new-password"
        error={errors.confirmation?.message}
      />
      {errors.root?.message && <ErrorNote>{errors.root.message}</ErrorNote>}
      <Button kind="primary" wide centered type="submit" working={isSubmitting && texts.resetting}>
        {texts.resetPassword}
      </Button>
    </form>
  );
}
