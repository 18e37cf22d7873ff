import type { MessagingError } from '../../client/errors';
import { t } from '../language/translate';

const SENTENCES: Readonly<Record<string, string>> = {
  key_revoked: t('You were signed out because your API key was revoked.'),
  key_expired: t('You were signed out because your API key has expired.'),
  secret_rotated: t('You were signed out because the secret of your API key was replaced.'),
  address_not_allowed: t('You were signed out because your API key may not be used from this IP address.'),
  idle: t('You were signed out because the console was not used for an hour.'),
  too_old: t('You were signed out because a session lasts at most 12 hours.'),
  unknown: t('Your session has ended.'),
};

const listeners = new Set<() => void>();
let sentence: string | null = null;
let hasForgotten = false;

/** Records why the session ended, as the error of a 401 response states it; null: a person signed in or out. */
export function noteSessionEnd(error: MessagingError | null, wasSignedIn: boolean): void {
  if (error === null) {
    hasForgotten = false;
    say(null);
  } else if (wasSignedIn && !hasForgotten) {
    const { sessionEnd = 'unknown' } = error.details as { sessionEnd?: string };
    say(SENTENCES[sessionEnd] ?? SENTENCES.unknown!);
  }
}

/** Records that a sign-out in another tab deleted these drafts of this one. */
export function noteForgottenDrafts(names: readonly string[]): void {
  if (names.length === 0) return;
  hasForgotten = true;
  say(
    t(
      'You signed out in another tab. This deleted {count, plural, one {a draft} other {# drafts}} of this tab: {drafts}.',
      { count: names.length, drafts: names.join('; ') },
    ),
  );
}

/** Calls `listener` when `sessionEnd` changes; returns the unsubscribe function. */
export function onSessionEnd(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function say(next: string | null): void {
  sentence = next;
  for (const listener of listeners) listener();
}

/** Why this browser was signed out; null if it was not, or a person signed out. */
export function sessionEnd(): string | null {
  return sentence;
}
