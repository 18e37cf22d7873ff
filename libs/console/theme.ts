/** Runs before first paint: applies the stored theme so that a dark console does not flash white, nor the navigation when signed out, and requests what is needed first. */
import { requestSessionEarly } from './app/early-session';
import { wasSignedIn } from './app/signed-in-hint';
import { applyTheme, storedTheme } from './ui/theme-choice';

/** The files of the screens by the first segment of their paths below `/console`, which the build knows. */
declare const CODE_OF_SCREENS: Readonly<Record<string, readonly string[]>>;

applyTheme(storedTheme());
requestSessionEarly();
if (wasSignedIn()) preloadScreen();
else document.documentElement.setAttribute('data-signed-out', '');

/** Loads the code of the screen in parallel with that of the console, which would find its files one after the other. */
function preloadScreen(): void {
  for (const file of CODE_OF_SCREENS[location.pathname.split('/')[2] ?? ''] ?? []) {
    const link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = `/console/assets/${file}`;
    document.head.append(link);
  }
}
