let title = 'Minimal';

export const titleOfPage = {
  forget: () => {
    title = 'Minimal';
  },
  is: () => title,
};

/** Takes the place of the browser's: remembers how the page names the window. */
export function useTitle(named: string | undefined): void {
  if (named) title = named === 'Minimal' ? named : `${named} - Minimal`;
}
