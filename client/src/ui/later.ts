import { type ComponentType, lazy } from 'react';
import { quiet } from './quiet';

/**
 * A part below the first screenful, by its file below src without the ending. The server draws it; its code waits until
 * what is seen first is there.
 */
export function later<Props extends object>(_source: string, load: () => Promise<{ default: ComponentType<Props> }>) {
  return lazy(() => quiet().then(load));
}
