import { useEffect } from 'react';

/** Names the page in the window's title. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title) document.title = title === 'Minimal' ? title : `${title} - Minimal`;
  }, [title]);
}
