import { useEffect } from 'react';
import { titled } from './titled';

/** Names the page in the window's title; '' for the home page. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = titled(title);
  }, [title]);
}
