/** Runs before first paint: applies the stored theme so that a dark console does not flash white. */
import { applyTheme, storedTheme } from './ui/theme-choice';

applyTheme(storedTheme());
