import { useState } from 'react';
import { serverWords, toResult } from '~/graphql/settled';
import { Button } from '~/ui/button';
import { ConfirmDialog, Dialog } from '~/ui/dialog';
import { Failure } from '~/ui/empty';
import { ErrorNote } from '~/ui/error-note';
import { Waiting } from '~/ui/ring';
import { toast } from '~/ui/toast';
import { CodeSetup, type CodeSetupParts } from './code-setup';
import { PasskeyList } from './passkey-list';
import { RecoveryCodes } from './recovery-codes';
import {
  type SecurityFragment,
  useRenewRecoveryCodesMutation,
  useSecurityDetailsQuery,
  useStartCodeSetupMutation,
  useDisableCodesMutation,
} from './security.generated';
import { texts } from './security-texts';
import styles from './security.module.css';
import { texts as words } from './texts';

type Codes = readonly string[] | null;

function AppCodes({ isOn, onRecoveryCodes }: { isOn: boolean; onRecoveryCodes: (codes: Codes) => void }) {
  const [start, { loading }] = useStartCodeSetupMutation();
  const [turnOff, { loading: turning }] = useDisableCodesMutation();
  const [setup, setSetup] = useState<CodeSetupParts | null>(null);
  const [leaving, setLeaving] = useState(false);

  async function begin() {
    const { data, message } = await toResult(start());
    const result = data?.startCodeSetup;
    if (result?.__typename === 'CodeSetup') setSetup(result);
    else toast.error(result?.message ?? message ?? texts.changeFailed);
  }

  async function end() {
    const { data, message } = await toResult(turnOff());
    const result = data?.disableCodes;
    if (result?.__typename === 'SecondFactorsChanged') toast.success(texts.turnedOff);
    else toast.error(result?.message ?? message ?? texts.changeFailed);
    setLeaving(false);
  }

  return (
    <>
      <p>{isOn ? texts.codesOn : texts.codesOff}</p>
      {isOn ? (
        <Button small onClick={() => setLeaving(true)}>
          {texts.turnOff}
        </Button>
      ) : (
        <Button small working={loading && 'Opening ...'} onClick={() => void begin()}>
          {texts.setUpCodes}
        </Button>
      )}
      <Dialog open={setup !== null} title={texts.setUpCodes} onClose={() => setSetup(null)}>
        {setup && (
          <CodeSetup
            setup={setup}
            onClose={() => setSetup(null)}
            onDone={(codes) => {
              setSetup(null);
              onRecoveryCodes(codes);
            }}
          />
        )}
      </Dialog>
      <ConfirmDialog
        open={leaving}
        title={texts.turnOff}
        text="Signing in no longer asks for a code."
        confirm="Turn off"
        working={turning && 'Turning off ...'}
        onConfirm={() => void end()}
        onClose={() => setLeaving(false)}
      />
    </>
  );
}

function Recovery({ left, onRecoveryCodes }: { left: number; onRecoveryCodes: (codes: Codes) => void }) {
  const [renew, { loading }] = useRenewRecoveryCodesMutation();
  const [asking, setAsking] = useState(false);

  async function make() {
    const { data, message } = await toResult(renew());
    setAsking(false);
    const result = data?.renewRecoveryCodes;
    if (result?.__typename === 'SecondFactorsChanged') onRecoveryCodes(result.recoveryCodes);
    else toast.error(result?.message ?? message ?? texts.changeFailed);
  }

  return (
    <>
      <p>
        {texts.recoveryText} {left} of 10 are left.
      </p>
      <Button small onClick={() => setAsking(true)}>
        {texts.renew}
      </Button>
      <ConfirmDialog
        open={asking}
        title={texts.renew}
        text={texts.renewText}
        confirm={texts.renew}
        working={loading && 'Making codes ...'}
        onConfirm={() => void make()}
        onClose={() => setAsking(false)}
      />
    </>
  );
}

function Parts({ viewer }: { viewer: SecurityFragment }) {
  const [codes, setCodes] = useState<Codes>(null);
  return (
    <div className={styles.parts}>
      {viewer.secondFactorMissing && <ErrorNote>{texts.missing}</ErrorNote>}
      <section className={styles.part}>
        <h3>{texts.passkeys}</h3>
        <p>{texts.passkeysText}</p>
        <PasskeyList passkeys={viewer.passkeys} onRecoveryCodes={setCodes} />
      </section>
      <section className={styles.part}>
        <h3>{texts.codes}</h3>
        <AppCodes isOn={viewer.hasCodes} onRecoveryCodes={setCodes} />
      </section>
      {viewer.hasSecondFactor && (
        <section className={styles.part}>
          <h3>{texts.recovery}</h3>
          <Recovery left={viewer.recoveryCodesLeft} onRecoveryCodes={setCodes} />
        </section>
      )}
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
    </div>
  );
}

/** What the account signs in with beside its password. */
export default function Security() {
  const { data, error } = useSecurityDetailsQuery({ fetchPolicy: 'cache-and-network' });
  if (data?.viewer) return <Parts viewer={data.viewer} />;
  if (error) return <Failure title={serverWords(error) ?? words.detailsFailed} />;
  return <Waiting>Fetching how you sign in</Waiting>;
}
