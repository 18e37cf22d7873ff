declare global {
  interface Window {
    earlySession?: Promise<Response | undefined>;
  }
}

/** The address of the session. */
export const SESSION_PATH = '/console/session';

/** Requests the session before the scripts that read it have arrived. */
export function requestSessionEarly(): void {
  window.earlySession = fetch(SESSION_PATH, { credentials: 'same-origin' }).catch(() => undefined);
}

/** The answer to that request, for the first caller only; undefined if there was none. */
export function takeEarlySession(): Promise<Response | undefined> | undefined {
  const early = window.earlySession;
  delete window.earlySession;
  return early;
}
