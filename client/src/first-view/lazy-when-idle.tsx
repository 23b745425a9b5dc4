import { type ComponentType, lazy } from 'react';

const drawn = new Set<string>();

export const renderedParts = {
  forget: () => drawn.clear(),
  drawn: () => [...drawn],
};

/** Takes the place of the browser's: waits for nothing, and remembers what was drawn, so that its style goes along. */
export function lazyWhenIdle<Props extends object>(
  source: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
) {
  const Loaded = lazy(load);
  return function Later(props: Props) {
    drawn.add(source);
    return <Loaded {...props} />;
  };
}
