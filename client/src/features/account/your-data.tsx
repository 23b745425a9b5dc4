import { useState } from 'react';
import { Dialog } from '~/ui/dialog';
import { DeleteAccountForm } from './delete-account-form';
import type { YourDataFragment } from './profile.generated';
import styles from './your-data.module.css';

/** Data export and account deletion. */
export function YourData({ dataUrl, hasPassword }: YourDataFragment) {
  const [leaving, setLeaving] = useState(false);
  const close = () => setLeaving(false);
  return (
    <>
      <p className={styles.text}>
        The file holds everything that we know of you: your account, addresses, cart, wishlist, orders and mails.
      </p>
      <div className={styles.ways}>
        <a className="link" href={dataUrl} download>
          Download my data
        </a>
        <button type="button" className="link" aria-haspopup="dialog" onClick={() => setLeaving(true)}>
          Delete account
        </button>
      </div>
      <Dialog open={leaving} title="Delete account" onClose={close}>
        <DeleteAccountForm hasPassword={hasPassword} onClose={close} />
      </Dialog>
    </>
  );
}
