import { createHash, randomBytes } from 'node:crypto';

/** Maximum duration of a console session. */
const SESSION_MAX_MS = 12 * 3_600_000;
/** A session expires after this time without use. */
export const SESSION_IDLE_MS = 3_600_000;
/** An expired session is kept for this time, to state at the next sign-in why it ended. */
export const SESSION_KEPT_MS = 24 * 3_600_000;
/** The last use of a session is recorded at most this often. */
export const USE_RECORD_INTERVAL_MS = 60_000;
/** Maximum number of open sessions per key; a further one ends the least recently used. */
export const MAX_SESSIONS_PER_KEY = 50;

/** A session of the console. */
export interface ConsoleSession {
  /** SHA-256 of the token, which only the browser has. */
  tokenHash: Buffer;
  keyId: string;
  /** Prefix of the secret used to sign in: the session ends when that secret expires, is rotated or revoked. */
  keyPrefix: string;
  createdAt: Date;
  lastUsedAt: Date;
}

const TOKEN_FORMAT = /^mtc_[\w-]{43}$/;

/** Generates a token: `mtc_<43 characters of 32 random bytes>`. */
export function generateSessionToken(): string {
  return `mtc_${randomBytes(32).toString('base64url')}`;
}

/** The stored hash of a token; null if the text is not a token. */
export function tokenHashOf(token: string): Buffer | null {
  return TOKEN_FORMAT.test(token) ? createHash('sha256').update(token).digest() : null;
}

/** Whether the session has not expired. */
export function isOpen(session: ConsoleSession, now: Date): boolean {
  return expiryOf(session, now) === null;
}

/** How the session expired: unused for an hour, or 12 hours old; null: it is open. */
export function expiryOf({ createdAt, lastUsedAt }: ConsoleSession, now: Date): 'idle' | 'too_old' | null {
  if (now.getTime() - lastUsedAt.getTime() >= SESSION_IDLE_MS) return 'idle';
  return now.getTime() - createdAt.getTime() >= SESSION_MAX_MS ? 'too_old' : null;
}
