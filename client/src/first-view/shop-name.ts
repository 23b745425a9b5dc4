let name = '';

/** Begins rendering a page of the shop with this name. */
export function drawAs(current: string): void {
  name = current;
}

/** Takes the place of the browser's, which reads it in the page. */
export const shopName = (): string => name;
