import { type ComponentType, lazy } from 'react';

/** A screen in a chunk of its own. Loaded ahead, it shows without waiting, so that finished HTML is taken over whole. */
export function screen<Props extends object>(source: string, load: () => Promise<{ default: ComponentType<Props> }>) {
  let Loaded: ComponentType<Props> | undefined;
  const Later = lazy(load);

  function Screen(props: Props) {
    return Loaded ? <Loaded {...props} /> : <Later {...props} />;
  }

  return Object.assign(Screen, {
    /** The file that it is built from, without its ending. */
    source,
    load: async () => {
      Loaded = (await load()).default;
    },
  });
}

/** Whether a component is a screen, whatever it shows. */
export function isScreen(type: unknown): type is { source: string; load: () => Promise<void> } {
  return typeof type === 'function' && 'source' in type && 'load' in type;
}
