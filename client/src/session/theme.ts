import { stored } from '~/ui/stored';

export type Theme = 'light' | 'dark' | 'system';

const kept = stored('minimal:theme');

export function rememberedTheme(): Theme {
  const theme = kept.read();
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Shows the page in the theme and remembers it; `system` forgets the choice. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  kept.write(theme === 'system' ? null : theme);
}

export const followTheme = kept.subscribe;
