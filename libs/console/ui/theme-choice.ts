import { store, stored } from './storage';

/** The colour theme; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'console.theme';

/** The theme stored in this browser. */
export function storedTheme(): Theme {
  const theme = stored(KEY);
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** Applies a theme by the `data-theme` attribute, which `styles.css` reads. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme);
}

/** Applies a theme and stores it in this browser. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  store(KEY, theme);
}
