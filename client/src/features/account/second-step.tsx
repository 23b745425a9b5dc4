import { useForm } from 'react-hook-form';
import { settled } from '~/graphql/settled';
import type { SessionUserFragment } from '~/session/session.generated';
import { Button } from '~/ui/button';
import { ErrorNote } from '~/ui/error-note';
import { toast } from '~/ui/toast';
import type { SecondFactorNeededFragment } from './auth.generated';
import { CodeField, codeRules } from './code-field';
import styles from './form.module.css';
import { useConfirmSignInMutation } from './second-step.generated';
import { texts } from './security-texts';
import { texts as words } from './texts';
import { passkeyFor } from './passkey-answer';

interface SecondStepProps {
  needed: SecondFactorNeededFragment;
  onSignedIn: (viewer: SessionUserFragment) => Promise<void>;
  onStartAgain: () => void;
}

/** The second half of a sign-in: a passkey, a code or a recovery code. */
export default function SecondStep({ needed, onSignedIn, onStartAgain }: SecondStepProps) {
  const [confirm, { loading }] = useConfirmSignInMutation();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { code: '' } });
  const { errors } = formState;
  const options = needed.passkeyOptions;

  async function send(proof: { code?: string; passkey?: string }, at: 'code' | 'root') {
    const { data, said } = await settled(confirm({ variables: { challenge: needed.challenge, ...proof } }));
    const result = data?.confirmSignIn;
    if (result?.__typename === 'SignedIn') {
      toast.success(words.welcomeBack);
      return onSignedIn(result.viewer);
    }
    const message = result?.message ?? said ?? texts.confirmFailed;
    if (result?.__typename === 'ChallengeExpired') {
      toast.error(message);
      return onStartAgain();
    }
    return setError(at, { message }, { shouldFocus: at === 'code' });
  }

  async function askPasskey(asked: string) {
    const { credential, said } = await passkeyFor(asked);
    if (credential) return send({ passkey: credential }, 'root');
    return setError('root', { message: said ?? texts.passkeyFailed });
  }

  const submit = handleSubmit(({ code }) => send({ code }, 'code'));

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p>{texts.secondStep}</p>
      {options && (
        <>
          <Button kind="primary" wide onClick={() => void askPasskey(options)}>
            {texts.aPasskey}
          </Button>
          <div className={styles.or}>or</div>
        </>
      )}
      <CodeField {...register('code', codeRules)} error={errors.code?.message} />
      {errors.root?.message && <ErrorNote>{errors.root.message}</ErrorNote>}
      <Button kind={options ? 'second' : 'primary'} wide type="submit" working={loading && texts.confirming}>
        {texts.confirm}
      </Button>
      <button type="button" className={`link ${styles.aside}`} onClick={onStartAgain}>
        {texts.startAgain}
      </button>
    </form>
  );
}
