import { useSentForm } from '~/graphql/use-sent-form';
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
  const [confirm] = useConfirmSignInMutation();
  const send = (proof: { code: string } | { passkey: string }) =>
    confirm({ variables: { challenge: needed.challenge, ...proof } });
  const { field, isSending, onSubmit, refusal, refuse, sendOther } = useSentForm({
    rules: codeRules,
    defaultValues: { code: '' },
    send,
    done: ['SignedIn', 'ChallengeExpired'],
    onDone(result) {
      if (result.__typename === 'SignedIn') {
        toast.success(words.welcomeBack);
        return onSignedIn(result.viewer);
      }
      toast.error(result.message);
      return onStartAgain();
    },
    otherwise: texts.confirmFailed,
    // What is refused as a whole is about the code.
    fields: { root: 'code' },
  });
  const options = needed.passkeyOptions;

  async function askPasskey(passkeyOptions: string) {
    const { credential, message } = await passkeyFor(passkeyOptions);
    if (credential) return sendOther(() => send({ passkey: credential }));
    return refuse(message ?? texts.passkeyFailed);
  }

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>{texts.secondStep}</p>
      {options && (
        <>
          <Button kind="primary" wide onClick={() => void askPasskey(options)}>
            {texts.aPasskey}
          </Button>
          <div className={styles.or}>or</div>
        </>
      )}
      <CodeField {...field('code')} />
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <Button kind={options ? 'second' : 'primary'} wide type="submit" working={isSending && texts.confirming}>
        {texts.confirm}
      </Button>
      <button type="button" className={`link ${styles.aside}`} onClick={onStartAgain}>
        {texts.startAgain}
      </button>
    </form>
  );
}
