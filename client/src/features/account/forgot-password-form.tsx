import { valibotResolver } from '@hookform/resolvers/valibot';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { settled } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field } from '~/ui/field';
import { ArrowRightIcon } from '~/ui/icons';
import { toast } from '~/ui/toast';
import { useForgotPasswordMutation } from './auth.generated';
import styles from './form.module.css';
import { type ForgotPasswordValues, forgotPasswordRules } from './rules';
import { texts } from './texts';

export function ForgotPasswordForm() {
  const navigate = useNavigate();
  const [forgotPassword] = useForgotPasswordMutation();
  const { register, handleSubmit, setError, formState } = useForm<ForgotPasswordValues>({
    resolver: valibotResolver(forgotPasswordRules),
    defaultValues: { email: '' },
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (values) => {
    const { data, said } = await settled(forgotPassword({ variables: values }));
    const result = data?.forgotPassword;
    if (result?.__typename === 'Success') {
      toast.success(texts.resetLinkSent);
      return navigate('/signin');
    }
    const message = result?.message ?? said ?? texts.resetLinkFailed;
    setError('root', { message });
    return toast.error(message);
  });

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <Field {...register('email')} label="E-mail" type="email" autoComplete="email" error={errors.email?.message} />
      {errors.root?.message && <ErrorNote>{errors.root.message}</ErrorNote>}
      <Button kind="primary" wide type="submit" working={isSubmitting && 'Sending ...'} end={<ArrowRightIcon />}>
        {texts.sendResetLink}
      </Button>
    </form>
  );
}
