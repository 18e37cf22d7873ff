import { createHash, randomBytes } from 'node:crypto';

/** The most time from a sign-in to the console to the end of its session. */
const SESSION_MAX_MS = 12 * 3_600_000;
/** A session that was not used for this long is over. */
export const SESSION_IDLE_MS = 3_600_000;
/** A session notes its last use at most this often. */
export const USE_NOTED_EVERY_MS = 60_000;
/** Open sessions of one key; one more ends the one that was used least recently. */
export const MAX_SESSIONS_OF_KEY = 50;

/** Somebody who is signed in to the console: with which key, and since when. */
export interface ConsoleSession {
  /** SHA-256 of the token, which only the browser has. */
  tokenHash: Buffer;
  keyId: string;
  /** The prefix of the secret at the sign-in: the session ends when that secret does, by a rotation too. */
  keyPrefix: string;
  createdAt: Date;
  lastUsedAt: Date;
}

const FORM = /^mtc_[\w-]{43}$/;

/** A new token: `mtc_<43 characters of 32 random bytes>`. */
export function makeSessionToken(): string {
  return `mtc_${randomBytes(32).toString('base64url')}`;
}

/** What is stored of a token; null for a text that is none. */
export function tokenHashOf(token: string): Buffer | null {
  return FORM.test(token) ? createHash('sha256').update(token).digest() : null;
}

/** Whether the session may still be used. */
export function isOpen({ createdAt, lastUsedAt }: ConsoleSession, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < SESSION_MAX_MS && now.getTime() - lastUsedAt.getTime() < SESSION_IDLE_MS;
}
