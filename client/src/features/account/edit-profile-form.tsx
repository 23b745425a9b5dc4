import { useNavigate } from 'react-router';
import { useSentForm } from '~/graphql/use-sent-form';
import { useSession } from '~/session/use-session';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { Field, PasswordField } from '~/ui/field';
import { toast } from '~/ui/toast';
import detailStyles from './account-details.module.css';
import styles from './form.module.css';
import { type ProfileDetailsFragment, useUpdateProfileMutation } from './profile.generated';
import { profileChanges } from './profile-changes';
import { profileRules } from './rules';
import { texts } from './texts';

interface EditProfileFormProps {
  profile: ProfileDetailsFragment;
  onClose: () => void;
}

/** The answer to a form in which nothing was changed. */
const unchanged = { data: { updateProfile: { __typename: 'Unchanged' as const } } };

export function EditProfileForm({ profile, onClose }: EditProfileFormProps) {
  const navigate = useNavigate();
  const { signedOut } = useSession();
  const [updateProfile] = useUpdateProfileMutation();
  const { field, isSending, onSubmit, refusal } = useSentForm({
    rules: profileRules,
    defaultValues: { name: profile.name, email: profile.email, password: '' },
    send: async (entered) => {
      const changes = profileChanges(profile, entered);
      return Object.keys(changes).length > 0 ? updateProfile({ variables: { input: changes } }) : unchanged;
    },
    done: ['ProfileUpdated', 'Unchanged'],
    onDone(result) {
      if (result.__typename === 'Unchanged') return onClose();
      toast.success(texts.profileUpdated);
      if (!result.signedOut) return onClose();

      signedOut();
      toast.info(texts.signInAgain);
      return navigate('/signin');
    },
    otherwise: texts.profileFailed,
    loud: true,
  });

  return (
    <form className={`${styles.form} ${detailStyles.form}`} onSubmit={onSubmit} noValidate>
      <Field {...field('name')} label="Name" autoComplete="name" />
      <Field {...field('email')} label="E-mail" type="email" autoComplete="email" />
      <PasswordField
        {...field('password')}
        label={texts.optionalPassword}
        autoComplete="new-password"
        note="A new e-mail or password signs you out everywhere."
      />
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.actions}>
        <Button kind="primary" type="submit" working={isSending && texts.savingChanges}>
          {texts.saveChanges}
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}
