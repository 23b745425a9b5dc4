import { useState } from 'react';
import { settled } from './settled';

/** Fetches a further page at a press. `refusal` says why the last press brought nothing. */
export function useMore(fetchPage: () => Promise<{ data?: unknown }>, failed: string) {
  const [refusal, setRefusal] = useState<string | null>(null);

  async function more() {
    setRefusal(null);
    const { error, said } = await settled(fetchPage());
    if (error) setRefusal(said ?? failed);
  }

  return { more: () => void more(), refusal };
}
