export type Theme = 'light' | 'dark' | 'system';

const KEY = 'minimal:theme';
const changed = new Set<() => void>();

export function rememberedTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    return 'system';
  }
}

/** Shows the page in the theme and remembers it; `system` forgets the choice. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice holds until the page is left.
  }
  for (const tell of changed) tell();
}

export function followTheme(tell: () => void): () => void {
  changed.add(tell);
  return () => {
    changed.delete(tell);
  };
}
