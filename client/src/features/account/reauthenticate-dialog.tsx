import * as v from 'valibot';
import type { ReauthenticateInput } from '~/graphql/schema.generated';
import { toResult } from '~/graphql/settled';
import { useSentForm } from '~/graphql/use-sent-form';
import { reauthentication } from '~/session/reauthentication';
import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { Failure } from '~/ui/empty';
import { ErrorNote } from '~/ui/error-note';
import { PasswordField } from '~/ui/field';
import { Waiting } from '~/ui/ring';
import { CodeField } from './code-field';
import { GoogleCredentialButton } from './google-button';
import { useStartPasskeyMutation } from './passkey.generated';
import {
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

const proofRules = {
  password: v.object({ proof: v.pipe(v.string(), v.nonEmpty(texts.passwordMissing)) }),
  code: v.object({ proof: v.pipe(v.string(), v.nonEmpty(texts.codeMissing)) }),
};

/** What the account can prove itself with, and nothing else. */
function Proofs({ email, methods, googleClientId }: ProofsProps) {
  const [prove] = useReauthenticateMutation();
  const [start] = useStartPasskeyMutation();
  const typed = methods.includes('PASSWORD') ? 'password' : 'code';
  const asksForCode = methods.includes('CODE') || methods.includes('RECOVERY_CODE');
  const { field, isSending, onSubmit, refusal, refuse, sendOther } = useSentForm({
    rules: proofRules[typed],
    defaultValues: { proof: '' },
    send: ({ proof }) => prove({ variables: { input: { [typed]: proof } } }),
    done: 'Reauthenticated',
    onDone: () => reauthentication.end(true),
    otherwise: texts.confirmFailed,
    // What is refused as a whole is about what was typed.
    fields: { root: 'proof', password: 'proof', code: 'proof' },
  });
  const send = (input: ReauthenticateInput) => sendOther(() => prove({ variables: { input } }));

  async function askPasskey() {
    const { data, message } = await toResult(start());
    const request = data?.startPasskey;
    if (request?.__typename !== 'PasskeyRequest') return refuse(request?.message ?? message ?? texts.passkeyFailed);
    const answer = await passkeyFor(request.options);
    if (!answer.credential) return refuse(answer.message ?? texts.passkeyFailed);
    return send({ passkey: answer.credential, challenge: request.challenge });
  }

  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p>{texts.againText}</p>
      <input type="hidden" autoComplete="username" value={email} />
      {methods.includes('PASSKEY') && (
        <Button kind="primary" onClick={() => void askPasskey()}>
          {texts.aPasskey}
        </Button>
      )}
      {methods.includes('GOOGLE') && googleClientId && (
        <GoogleCredentialButton clientId={googleClientId} onCredential={(googleToken) => send({ googleToken })} />
      )}
      {typed === 'password' && <PasswordField {...field('proof')} label="Password" autoComplete="current-password" />}
      {typed === 'code' && asksForCode && <CodeField {...field('proof')} />}
      {refusal && <ErrorNote>{refusal}</ErrorNote>}
      <div className={styles.actions}>
        <Button small onClick={() => reauthentication.end(false)}>
          Cancel
        </Button>
        {(typed === 'password' || asksForCode) && (
          <Button small kind="primary" type="submit" working={isSending && texts.confirming}>
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
