import { Button } from '~/ui/button';
import { Dialog } from '~/ui/dialog';
import { texts } from './security-texts';
import styles from './security.module.css';

interface RecoveryCodesProps {
  /** Null while there is nothing to show. */
  codes: readonly string[] | null;
  onClose: () => void;
}

/** The codes, this once: the server keeps only their hashes. */
export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes?.join('\n') ?? ''}\n`)}`;
  return (
    <Dialog open={codes !== null} title={texts.recovery} onClose={onClose}>
      <div className={styles.form}>
        <p>
          {texts.recoveryText} {texts.shownOnce}
        </p>
        <ul className={styles.recovery} aria-label={texts.recovery}>
          {codes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={styles.actions}>
          <a className="link" href={file} download="minimal-recovery-codes.txt">
            {texts.download}
          </a>
          <Button small kind="primary" onClick={onClose}>
            {texts.kept}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
