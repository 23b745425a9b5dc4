import { useForm } from 'react-hook-form';
import { settled } from '~/graphql/settled';
import { reauthentication } from '~/session/reauthentication';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Failure } from '~/ui/empty';
import { ErrorNote } from '~/ui/error-note';
import { PasswordField } from '~/ui/field';
import { Waiting } from '~/ui/ring';
import { CodeField, codeRules } from './code-field';
import { GoogleCredentialButton } from './google-button';
import { useStartPasskeyMutation } from './passkey.generated';
import {
  type ReauthenticateMutationVariables,
  type ReauthenticationQuery,
  useReauthenticateMutation,
  useReauthenticationQuery,
} from './reauthenticate.generated';
import { texts } from './security-texts';
import { passkeyFor } from './passkey-answer';
import styles from './your-data.module.css';

type Methods = NonNullable<ReauthenticationQuery['viewer']>['reauthenticationMethods'];

interface ProofsProps {
  email: string;
  methods: Methods;
  googleClientId: string;
}

/** What the account can prove itself with, and nothing else. */
function Proofs({ email, methods, googleClientId }: ProofsProps) {
  const [prove, { loading }] = useReauthenticateMutation();
  const [start] = useStartPasskeyMutation();
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { password: '', code: '' } });
  const { errors } = formState;
  const typed = methods.includes('PASSWORD') ? 'password' : 'code';
  const asksForCode = methods.includes('CODE') || methods.includes('RECOVERY_CODE');

  async function send(variables: ReauthenticateMutationVariables, at: 'password' | 'code' | 'root') {
    const { data, said } = await settled(prove({ variables }));
    const result = data?.reauthenticate;
    if (result?.__typename === 'Reauthenticated') return reauthentication.end(true);
    return setError(at, { message: result?.message ?? said ?? texts.confirmFailed }, { shouldFocus: at !== 'root' });
  }

  async function askPasskey() {
    const { data, said } = await settled(start());
    const asked = data?.startPasskey;
    if (asked?.__typename !== 'PasskeyRequest') {
      return setError('root', { message: asked?.message ?? said ?? texts.passkeyFailed });
    }
    const answer = await passkeyFor(asked.options);
    if (!answer.credential) return setError('root', { message: answer.said ?? texts.passkeyFailed });
    return send({ passkey: answer.credential, challenge: asked.challenge }, 'root');
  }

  const submit = handleSubmit((values) => send({ [typed]: values[typed] }, typed));

  return (
    <form className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
      <p>{texts.againText}</p>
      <input type="hidden" autoComplete="username" value={email} />
      {methods.includes('PASSKEY') && (
        <Button kind="primary" onClick={() => void askPasskey()}>
          {texts.aPasskey}
        </Button>
      )}
      {methods.includes('GOOGLE') && googleClientId && (
        <GoogleCredentialButton
          clientId={googleClientId}
          onCredential={(googleToken) => send({ googleToken }, 'root')}
        />
      )}
      {typed === 'password' && (
        <PasswordField
          {...register('password', { required: texts.passwordMissing })}
          label="Password"
          autoComplete="current-password"
          error={errors.password?.message}
        />
      )}
      {typed === 'code' && asksForCode && <CodeField {...register('code', codeRules)} error={errors.code?.message} />}
      {errors.root?.message && <ErrorNote>{errors.root.message}</ErrorNote>}
      <div className={styles.actions}>
        <Button small onClick={() => reauthentication.end(false)}>
          Cancel
        </Button>
        {(typed === 'password' || asksForCode) && (
          <Button small kind="primary" type="submit" working={loading && texts.confirming}>
            {texts.confirm}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Asks for a recent sign-in; the interrupted action continues by itself afterwards. */
export default function ReauthenticateDialog() {
  const { data, error } = useReauthenticationQuery({ fetchPolicy: 'network-only' });
  return (
    <Dialog open title={texts.again} onClose={() => reauthentication.end(false)}>
      {data?.viewer && (
        <Proofs
          email={data.viewer.email}
          methods={data.viewer.reauthenticationMethods}
          googleClientId={data.shop.googleClientId}
        />
      )}
      {!data?.viewer && !error && <Waiting>Looking up how you sign in</Waiting>}
      {error && <Failure title={texts.confirmFailed} />}
    </Dialog>
  );
}
