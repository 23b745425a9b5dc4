let year: number | string = '';

/** Begins rendering a page that is sent in this year. */
export function drawIn(current: number | string): void {
  year = current;
}

/** Takes the place of the browser's, which reads the visitor's calendar. */
export const useYear = (): number | string => year;
