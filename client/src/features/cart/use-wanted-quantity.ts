import { useRef, useState } from 'react';

interface WantedQuantity {
  /** What the shopper last asked for; the stored quantity once everything is answered. */
  quantity: number;
  /** Some change is not answered yet. */
  pending: boolean;
  want: (quantity: number) => void;
}

/**
 * Shows a wanted quantity at once and sends one change at a time, the latest wish last, so that quick presses
 * cannot overtake each other. When `send` answers false the stored quantity comes back.
 */
export function useWantedQuantity(stored: number, send: (quantity: number) => Promise<boolean>): WantedQuantity {
  const [unsent, setUnsent] = useState<number | null>(null);
  const latest = useRef<number | null>(null);

  async function sendUntilCalm() {
    let sent: number | null = null;
    while (latest.current !== null && latest.current !== sent) {
      sent = latest.current;
      if (!(await send(sent))) break;
    }
    latest.current = null;
    setUnsent(null);
  }

  function want(quantity: number) {
    const sending = latest.current !== null;
    latest.current = quantity;
    setUnsent(quantity);
    if (!sending) void sendUntilCalm();
  }

  return { quantity: unsent ?? stored, pending: unsent !== null, want };
}
