import { store, stored } from '../ui/storage';

/** Present while signed in: the other tabs notice a sign-in and a sign-out. */
export const SIGNED_IN_HINT = 'console.signedIn';

/** Whether this browser was signed in when it last read the session: scripts cannot read the cookie itself. */
export function wasSignedIn(): boolean {
  return stored(SIGNED_IN_HINT) !== null;
}

/** Records whether this browser is signed in. */
export function noteSignedIn(isSignedIn: boolean): void {
  store(SIGNED_IN_HINT, isSignedIn ? 'true' : null);
}
