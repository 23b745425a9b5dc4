import type { ComponentType } from 'react';
import { retryable } from './lazy-part';
import { whenIdle } from './scheduling';

/**
 * A part below the first screenful, by its file below src without the ending. The server renders it; its code waits
 * until what is seen first is there. It needs a Suspense boundary around it.
 */
export function lazyWhenIdle<Props extends object>(
  _source: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  return retryable(async () => {
    await whenIdle();
    return load();
  });
}
