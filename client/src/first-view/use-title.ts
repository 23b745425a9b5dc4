import { titled } from '~/ui/titled';

let title = '';

export const titleOfPage = {
  forget: () => {
    title = titled('');
  },
  is: () => title,
};

/** Takes the place of the browser's: remembers how the page names the window. */
export function useTitle(named: string | undefined): void {
  if (named !== undefined) title = titled(named);
}
