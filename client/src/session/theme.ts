import { oneOf, stored } from '~/ui/stored';

export type Theme = 'light' | 'dark' | 'system';

const storedTheme = stored('minimal:theme', oneOf('light', 'dark'));

export const rememberedTheme = (): Theme => storedTheme.read() ?? 'system';

/** Shows the page in the theme and stores it; `system` deletes the stored choice. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  storedTheme.write(theme === 'system' ? null : theme);
}

export const followTheme = storedTheme.subscribe;
