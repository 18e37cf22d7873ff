let shown: string | null = null;
let navigated = false;

/** Notes the path that is shown; a second one is a navigation. */
export function notePath(path: string): void {
  if (shown !== null && shown !== path) navigated = true;
  shown = path;
}

/** Whether somebody has gone from one screen to another: then the heading of the new one takes the focus. */
export function wasNavigated(): boolean {
  return navigated;
}
