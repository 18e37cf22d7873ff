let shown: string | null = null;
let navigated = false;

/** Records the current path; a change counts as a navigation. */
export function recordPath(path: string): void {
  if (shown !== null && shown !== path) navigated = true;
  shown = path;
}

/** Whether the user has navigated since the page loaded; if so, headings take the focus. */
export function hasNavigated(): boolean {
  return navigated;
}
