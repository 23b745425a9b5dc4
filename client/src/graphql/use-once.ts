import { useRef, useState } from 'react';

/** Runs one thing at a time: what is asked for meanwhile is left out. */
export function useOnce() {
  const isBusy = useRef(false);
  const [isSending, setIsSending] = useState(false);

  async function once(work: () => Promise<void>) {
    if (isBusy.current) return;
    isBusy.current = true;
    setIsSending(true);
    try {
      await work();
    } finally {
      isBusy.current = false;
      setIsSending(false);
    }
  }

  return { isSending, once };
}
