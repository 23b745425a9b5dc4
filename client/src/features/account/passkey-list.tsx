import { useState } from 'react';
import * as v from 'valibot';
import { toResult } from '~/graphql/settled';
import { refusalOf, useSentForm } from '~/graphql/use-sent-form';
import { createPasskey, hasPasskeys } from '~/session/webauthn';
import { browserName } from '~/ui/browser-name';
import { Button } from '~/ui/button';
import { ConfirmDialog, Dialog } from '~/ui/dialog';
import { browserTimeZone, formatDayIn } from '~/ui/format';
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

const nameRules = v.object({ name: v.string() });

function AddForm({ onRecoveryCodes, onClose }: Pick<PasskeyListProps, 'onRecoveryCodes'> & { onClose: () => void }) {
  const [start] = useStartPasskeyRegistrationMutation();
  const [add] = useAddPasskeyMutation();
  const form = useSentForm({
    rules: nameRules,
    defaultValues: { name: browserName(navigator.userAgent) },
    async send({ name }) {
      if (!hasPasskeys()) return refusalOf(texts.noPasskeys);
      const { data: begun, message } = await toResult(start());
      const request = begun?.startPasskeyRegistration;
      if (request?.__typename !== 'PasskeyRequest') return refusalOf(request?.message ?? message);
      const { challenge, options } = request;
      try {
        const credential = await createPasskey(options);
        return await add({ variables: { challenge, credential, name } });
      } catch (error) {
        if (!(error instanceof DOMException)) throw error;
        console.warn('No passkey was made.', error);
        return refusalOf(texts.addFailed);
      }
    },
    done: 'SecondFactorsChanged',
    onDone({ recoveryCodes }) {
      onRecoveryCodes(recoveryCodes);
      onClose();
    },
    success: texts.passkeyAdded,
    otherwise: texts.addFailed,
    fields: { root: 'name' },
  });
  return <PasskeyNameForm form={form} submit="Continue" onClose={onClose} />;
}

function RenameForm({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [rename] = useRenamePasskeyMutation();
  const form = useSentForm({
    rules: nameRules,
    defaultValues: { name },
    send: (typed) => rename({ variables: { id, ...typed } }),
    done: 'SecondFactorsChanged',
    onDone: onClose,
    success: texts.passkeyRenamed,
    otherwise: texts.changeFailed,
    fields: { root: 'name' },
  });
  return <PasskeyNameForm form={form} submit="Rename" onClose={onClose} />;
}

const day = (at: string) => formatDayIn(browserTimeZone(), at);

function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const [open, setOpen] = useState<'rename' | 'remove' | null>(null);
  const [remove, { loading }] = useRemovePasskeyMutation();
  const close = () => setOpen(null);
  const { id, name, createdAt, lastUsedAt } = passkey;

  async function takeAway() {
    const { data, message } = await toResult(remove({ variables: { id } }));
    const result = data?.removePasskey;
    if (result?.__typename === 'SecondFactorsChanged') toast.success(texts.passkeyRemoved);
    else toast.error(result?.message ?? message ?? texts.changeFailed);
    close();
  }

  return (
    <li className={styles.passkey}>
      <div>
        <p>{name}</p>
        <p className="small soft">
          Added {day(createdAt)}
          {lastUsedAt && `, last used ${day(lastUsedAt)}`}
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
        <RenameForm passkey={passkey} onClose={close} />
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
        <AddForm onRecoveryCodes={onRecoveryCodes} onClose={close} />
      </Dialog>
    </>
  );
}
