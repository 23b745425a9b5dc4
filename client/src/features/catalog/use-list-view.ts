import { useState } from 'react';
import { oneOf, stored } from '~/ui/stored';
import { useMedia } from '~/ui/use-media';

export type ListView = 'grid' | 'list';

const storedView = stored('minimal:list-view', oneOf('grid', 'list'));

const remembered = (): ListView => storedView.read() ?? 'grid';

/** Grid or list, as this browser last chose. Below 630 px it is always the grid. */
export function useListView(): [ListView, (view: ListView) => void] {
  const [view, setView] = useState(remembered);
  const wide = useMedia('(min-width: 630px)');

  function choose(next: ListView) {
    setView(next);
    storedView.write(next);
  }

  return [wide ? view : 'grid', choose];
}
