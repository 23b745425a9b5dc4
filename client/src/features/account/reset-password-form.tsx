import { useNavigate } from 'react-router';
import { useSentForm } from '~/graphql/use-sent-form';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { PasswordField } from '~/ui/field';
import { useResetPasswordMutation } from './auth.generated';
import styles from './form.module.css';
import { resetPasswordRules } from './rules';
import { texts } from './texts';

/** Sets a new password by the right of the mailed link's token. */
export function ResetPasswordForm({ token }: { token: string }) {
  const navigate = useNavigate();
  const [resetPassword] = useResetPasswordMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules: resetPasswordRules,
    defaultValues: { password: '', confirmation: '' },
    send: ({ password }) => resetPassword({ variables: { token, newPassword: password } }),
    done: 'Success',
    onDone: () => navigate('/signin'),
    success: texts.passwordReset,
    otherwise: texts.passwordResetFailed,
    fields: { newPassword: 'password' },
    loud: true,
  });

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <PasswordField
        {...field('password')}
        label={texts.newPassword}
        labelHidden
        placeholder={texts.newPassword}
        autoComplete="new-password"
      />
      <PasswordField
        {...field('confirmation')}
        label={texts.confirmPassword}
        labelHidden
        placeholder={texts.confirmPassword}
        autoComplete="new-password"
      />
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <Button kind="primary" wide centered type="submit" working={isSending && texts.resetting}>
        {texts.resetPassword}
      </Button>
    </form>
  );
}
