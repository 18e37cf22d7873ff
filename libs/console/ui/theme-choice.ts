/** The colour theme; `system` follows the operating system. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'console.theme';

/** The theme stored in this browser. */
export function storedTheme(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    // Storage may be blocked.
    return 'system';
  }
}

/** Applies a theme by the `data-theme` attribute, which `styles.css` reads. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme);
}

/** Applies a theme and stores it in this browser. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
