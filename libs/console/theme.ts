/** Runs before the page is painted: the look that was chosen here last, so that a dark console does not flash white. */
import { applyTheme, keptTheme } from './ui/theme-choice';

applyTheme(keptTheme());
