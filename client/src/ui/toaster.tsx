import { useEffect, useState, useSyncExternalStore } from 'react';
import { useNavigate } from 'react-router';
import { AlertIcon } from './icons';
import { toastQueue, type ToastMessage } from './toast';
import styles from './toaster.module.css';

const SHOWN_FOR = 2000;

/** Where messages appear. The live region is always there, so that the first message is read too. */
export function Toaster() {
  const message = useSyncExternalStore(toastQueue.subscribe, toastQueue.first, () => undefined);
  return (
    <div className={styles.place} role="status" aria-live="polite">
      {message && <Toast key={message.text} message={message} />}
    </div>
  );
}

function Toast({ message }: { message: ToastMessage }) {
  const [held, setHeld] = useState(false);
  const navigate = useNavigate();
  const { action } = message;

  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => toastQueue.dismiss(message.id), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [held, message]);

  return (
    <div
      className={`${styles.toast} ${message.kind === 'error' ? styles.error : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {/* New words are read aloud, and the button beside them keeps the focus. */}
      <span key={message.id} className={styles.words}>
        {message.kind === 'error' && <AlertIcon size={18} />}
        {message.text}
      </span>
      {action && (
        <button
          type="button"
          className="link"
          onClick={() => {
            if ('to' in action) void navigate(action.to);
            else action.run();
            toastQueue.dismiss(message.id);
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  );
}
