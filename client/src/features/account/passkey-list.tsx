import { useState } from 'react';
import { settled } from '~/graphql/settled';
import { createPasskey, hasPasskeys } from '~/session/webauthn';
import { browserName } from '~/ui/browser-name';
import { Button } from '~/ui/button';
import { ConfirmDialog, Dialog } from '~/ui/dialog';
import { formatDay } from '~/ui/format';
import { toast } from '~/ui/toast';
import { PasskeyNameForm } from './passkey-name-form';
import {
  type SecurityFragment,
  useAddPasskeyMutation,
  useRemovePasskeyMutation,
  useRenamePasskeyMutation,
  useStartPasskeyRegistrationMutation,
} from './security.generated';
import { texts } from './security-texts';
import styles from './security.module.css';

type Passkey = SecurityFragment['passkeys'][number];

interface PasskeyListProps {
  passkeys: readonly Passkey[];
  onRecoveryCodes: (codes: readonly string[] | null) => void;
}

function useAdding(onRecoveryCodes: PasskeyListProps['onRecoveryCodes']) {
  const [start] = useStartPasskeyRegistrationMutation();
  const [add] = useAddPasskeyMutation();

  return async (name: string): Promise<string | undefined> => {
    if (!hasPasskeys()) return texts.noPasskeys;
    const { data: begun, said } = await settled(start());
    if (!begun) return said ?? texts.addFailed;
    const { challenge, options } = begun.startPasskeyRegistration;
    let credential: string;
    try {
      credential = await createPasskey(options);
    } catch (error) {
      console.warn('No passkey was made.', error);
      return texts.addFailed;
    }
    const { data, said: refused } = await settled(add({ variables: { challenge, credential, name } }));
    const result = data?.addPasskey;
    if (result?.__typename !== 'SecondFactorsChanged') return result?.message ?? refused ?? texts.addFailed;
    toast.success(texts.passkeyAdded);
    onRecoveryCodes(result.recoveryCodes);
    return undefined;
  };
}

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const [rename] = useRenamePasskeyMutation();
  const [remove, { loading }] = useRemovePasskeyMutation();
  const close = () => setOpen(null);
  const { id, name, createdAt, lastUsedAt } = passkey;

  async function changeName(typed: string) {
    const { data, said } = await settled(rename({ variables: { id, name: typed } }));
    const result = data?.renamePasskey;
    if (result?.__typename !== 'SecondFactorsChanged') return result?.message ?? said ?? texts.changeFailed;
    toast.success(texts.passkeyRenamed);
    close();
    return undefined;
  }

  async function takeAway() {
    const { data, said } = await settled(remove({ variables: { id } }));
    if (data) toast.success(texts.passkeyRemoved);
    else toast.error(said ?? texts.changeFailed);
    close();
  }

  return (
    <li className={styles.passkey}>
      <div>
        <p>{name}</p>
        <p className="small soft">
          Added {formatDay(createdAt)}
          {lastUsedAt && `, last used ${formatDay(lastUsedAt)}`}
        </p>
      </div>
      <div className={styles.links}>
        <button type="button" className="link" aria-label={`Rename ${name}`} onClick={() => setOpen('rename')}>
          Rename
        </button>
        <button type="button" className="link" aria-label={`Remove ${name}`} onClick={() => setOpen('remove')}>
          Remove
        </button>
      </div>
      <Dialog open={open === 'rename'} title="Rename passkey" onClose={close}>
        <PasskeyNameForm initial={name} submit="Rename" onSubmit={changeName} onClose={close} />
      </Dialog>
      <ConfirmDialog
        open={open === 'remove'}
        title={texts.removePasskey}
        text={`${name} no longer signs you in.`}
        confirm="Remove"
        working={loading && 'Removing ...'}
        onConfirm={() => void takeAway()}
        onClose={close}
      />
    </li>
  );
}

/** The passkeys of the account, and the way to another. */
export function PasskeyList({ passkeys, onRecoveryCodes }: PasskeyListProps) {
  const [adding, setAdding] = useState(false);
  const add = useAdding(onRecoveryCodes);
  const close = () => setAdding(false);

  return (
    <>
      {passkeys.length > 0 && (
        <ul className={styles.list} aria-label={texts.passkeys}>
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      <Button small onClick={() => setAdding(true)}>
        {texts.addPasskey}
      </Button>
      <Dialog open={adding} title={texts.addPasskey} onClose={close}>
        <PasskeyNameForm
          initial={browserName(navigator.userAgent)}
          submit="Continue"
          onSubmit={async (name) => {
            const wrong = await add(name);
            if (!wrong) close();
            return wrong;
          }}
          onClose={close}
        />
      </Dialog>
    </>
  );
}
