/** The file of an inbound message, to be fetched from the platform by its media id. */
export interface FileToFetch {
  messageId: string;
  accountId: string;
  /** The sender that received it; null: the oldest of the account. */
  senderId: string | null;
  platformMediaId: string;
  /** From the webhook; the value at the time of the fetch takes precedence. */
  mimeType: string | null;
  receivedAt: Date;
}

/** `Waiting` to be fetched, `Kept` in the media store, or `Gone`: it can no longer be fetched. */
export type InboundState = 'Waiting' | 'Kept' | 'Gone';

/** The file of a message. */
export interface InboundFile {
  state: InboundState;
  mimeType: string | null;
  /** In bytes; null until it is stored. */
  size: number | null;
  /** Why it is not stored. */
  problem: string | null;
}

/** A file claimed by this process until the claim expires. */
export interface ClaimedFile {
  messageId: string;
  accountId: string;
  /** The sender that received it; null: the oldest of the account. */
  senderId: string | null;
  platformMediaId: string;
  receivedAt: Date;
  /** Whether to fetch the file or to delete it. */
  task: 'fetch' | 'delete';
  /** Number of this attempt, from 1. */
  attempt: number;
  /** Unique to this claim. */
  claim: string;
}

/** The properties of a stored file. */
export interface StoredFile {
  mimeType: string | null;
  size: number;
  /** SHA-256 of its bytes, in hex. */
  sha256: string;
}

/** How long a media id from a webhook is valid on the platform. */
export const MEDIA_LIFETIME_MS = 7 * 86_400_000;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DELAYS_MS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE, 120 * MINUTE];
const PLATFORM_ID = /^[\w.:-]{1,255}$/;
const MIME_TYPE = /^[a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,127}$/;

/** The delay before the next attempt, in milliseconds; it grows to two hours. */
export function retryDelayMs(attempt: number): number {
  return DELAYS_MS[Math.min(attempt, DELAYS_MS.length) - 1] ?? DELAYS_MS[0]!;
}

/** Whether the text is a well-formed media id of the platform. */
export function isPlatformMediaId(id: string): boolean {
  return PLATFORM_ID.test(id);
}

/** The MIME type in lower case and without parameters; null if the text contains none. */
export function bareMimeType(text: string | null): string | null {
  const bare = (text ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return MIME_TYPE.test(bare) ? bare : null;
}
