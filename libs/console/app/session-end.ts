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

let sentence: string | null = null;

/** Records why the session ended, as the error of a 401 response states it; null: a person signed in or out. */
export function noteSessionEnd(error: MessagingError | null, wasSignedIn: boolean): void {
  if (error === null) sentence = null;
  else if (wasSignedIn) {
    const { sessionEnd = 'unknown' } = error.details as { sessionEnd?: string };
    sentence = SENTENCES[sessionEnd] ?? SENTENCES.unknown!;
  }
}

/** Why this browser was signed out; null if it was not, or a person signed out. */
export function sessionEnd(): string | null {
  return sentence;
}
