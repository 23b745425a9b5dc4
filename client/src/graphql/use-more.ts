import { useState } from 'react';
import { toResult } from './settled';

/** Fetches a further page at a press. `refusal` says why the last press brought nothing. */
export function useMore(fetchPage: () => Promise<{ data?: unknown }>, failed: string) {
  const [refusal, setRefusal] = useState<string | null>(null);

  async function more() {
    setRefusal(null);
    const { error, message } = await toResult(fetchPage());
    if (error) setRefusal(message ?? failed);
  }

  return { more: () => void more(), refusal };
}
