/** Runs before first paint: applies the stored theme so that a dark console does not flash white, nor the navigation when signed out. */
import { wasSignedIn } from './app/signed-in-hint';
import { applyTheme, storedTheme } from './ui/theme-choice';

applyTheme(storedTheme());
if (!wasSignedIn()) document.documentElement.setAttribute('data-signed-out', '');
