/** How the console looks: as the system says, or as somebody chose here. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'console.theme';

/** The choice that this browser keeps. */
export function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    // Storage can be forbidden; the system's look is a good one.
    return 'system';
  }
}

/** Shows the choice; `styles.css` reads the attribute. */
export function applyTheme(theme: Theme): void {
  if (theme === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme);
}

/** Shows the choice and keeps it for the next visit. */
export function chooseTheme(theme: Theme): void {
  applyTheme(theme);
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // It holds until the page is left.
  }
}
