import { useState } from 'react';
import { useMedia } from '~/ui/use-media';

export type ListView = 'grid' | 'list';

const KEY = 'minimal:list-view';

function remembered(): ListView {
  try {
    return localStorage.getItem(KEY) === 'list' ? 'list' : 'grid';
  } catch {
    return 'grid';
  }
}

/** Grid or list, as this browser last chose. Below 630 px it is always the grid. */
export function useListView(): [ListView, (view: ListView) => void] {
  const [view, setView] = useState(remembered);
  const wide = useMedia('(min-width: 630px)');

  function choose(next: ListView) {
    setView(next);
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Without storage the choice holds until the page is left.
    }
  }

  return [wide ? view : 'grid', choose];
}
