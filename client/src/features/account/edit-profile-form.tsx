import { valibotResolver } from '@hookform/resolvers/valibot';
import { useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { settled } from '~/graphql/settled';
import { useSession } from '~/session/use-session';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field, PasswordField } from '~/ui/field';
import { toast } from '~/ui/toast';
import detailStyles from './account-details.module.css';
import styles from './form.module.css';
import { type ProfileDetailsFragment, useUpdateProfileMutation } from './profile.generated';
import { profileChanges } from './profile-changes';
import { profileRules, type ProfileValues } from './rules';
import { texts } from './texts';

interface EditProfileFormProps {
  profile: ProfileDetailsFragment;
  onClose: () => void;
}

export function EditProfileForm({ profile, onClose }: EditProfileFormProps) {
  const navigate = useNavigate();
  const { signedOut } = useSession();
  const [updateProfile] = useUpdateProfileMutation();
  const { register, handleSubmit, setError, formState } = useForm<ProfileValues>({
    resolver: valibotResolver(profileRules),
    defaultValues: { name: profile.name, email: profile.email, password: '' },
  });
  const { errors, isSubmitting } = formState;

  function refuse(field: string | null, message: string) {
    setError(field === 'name' || field === 'email' || field === 'password' ? field : 'root', { message });
    toast.error(message);
  }

  const submit = handleSubmit(async (entered) => {
    const changes = profileChanges(profile, entered);
    if (Object.keys(changes).length === 0) return onClose();

    const { data, said } = await settled(updateProfile({ variables: changes }));
    const result = data?.updateProfile;
    if (result?.__typename === 'InvalidInput' && result.errors.length > 0) {
      return result.errors.forEach(({ field, message }) => refuse(field, message));
    }
    if (result?.__typename !== 'ProfileUpdated') {
      return refuse(result?.field ?? null, result?.message ?? said ?? texts.profileFailed);
    }
    toast.success(texts.profileUpdated);
    if (!result.signedOut) return onClose();

    signedOut();
    toast.info(texts.signInAgain);
    return navigate('/signin');
  });

  return (
    <form className={`${styles.form} ${detailStyles.form}`} onSubmit={(event) => void submit(event)} noValidate>
      <Field {...register('name')} label="Name" autoComplete="name" error={errors.name?.message} />
      <Field {...register('email')} label="E-mail" type="email" autoComplete="email" error={errors.email?.message} />
      <PasswordField
        {...register('password')}
        label={texts.optionalPassword}
        autoComplete="new-password"
        note="A new e-mail or password signs you out everywhere."
        error={errors.password?.message}
      />
      {errors.root?.message && <ErrorNote>{errors.root.message}</ErrorNote>}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" working={isSubmitting && texts.savingChanges}>
          {texts.saveChanges}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
