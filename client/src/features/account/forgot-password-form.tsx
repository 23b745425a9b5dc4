import { useNavigate } from 'react-router';
import { useSentForm } from '~/graphql/use-sent-form';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { ArrowRightIcon } from '~/ui/icons';
import { useForgotPasswordMutation } from './auth.generated';
import styles from './form.module.css';
import { forgotPasswordRules } from './rules';
import { texts } from './texts';

export function ForgotPasswordForm() {
  const navigate = useNavigate();
  const [forgotPassword] = useForgotPasswordMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules: forgotPasswordRules,
    defaultValues: { email: '' },
    send: (variables) => forgotPassword({ variables }),
    done: 'Success',
    onDone: () => navigate('/signin'),
    success: texts.resetLinkSent,
    otherwise: texts.resetLinkFailed,
    loud: true,
  });

  return (
    <form method="post" className={styles.form} onSubmit={onSubmit} noValidate>
      <Field {...field('email')} label="E-mail" type="email" autoComplete="email" />
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <Button kind="primary" wide type="submit" working={isSending && 'Sending ...'} end={<ArrowRightIcon />}>
        {texts.sendResetLink}
      </Button>
    </form>
  );
}
