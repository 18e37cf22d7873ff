/** A file that somebody sent with a message: named by the platform, to be fetched from there. */
export interface FileToFetch {
  messageId: string;
  accountId: string;
  platformMediaId: string;
  /** As the webhook says; the platform may say better when the file is fetched. */
  mimeType: string | null;
  receivedAt: Date;
}

/** `Waiting` to be fetched, `Kept` in the media folder, or `Gone`: it cannot be had any more. */
export type InboundState = 'Waiting' | 'Kept' | 'Gone';

/** What is known of the file of a message. */
export interface InboundFile {
  state: InboundState;
  mimeType: string | null;
  /** In bytes; null until it is kept. */
  size: number | null;
  /** Why it is not kept. */
  problem: string | null;
}

/** A file that this process works on until its claim ends. */
export interface ClaimedFile {
  messageId: string;
  accountId: string;
  platformMediaId: string;
  receivedAt: Date;
  /** To `fetch` it, or to `delete` what is kept of it. */
  errand: 'fetch' | 'delete';
  /** Which try this is, from 1 on. */
  attempt: number;
  /** Belongs to this claim alone. */
  claim: string;
}

/** What was kept of a file. */
export interface KeptFile {
  mimeType: string | null;
  size: number;
  /** Of its bytes, in hex. */
  sha256: string;
}

/** Ids of media live this long on the platform once it has told them. */
export const MEDIA_LIFE_MS = 7 * 86_400_000;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const PAUSES_MS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, 30 * MINUTE, 60 * MINUTE, 120 * MINUTE];
const PLATFORM_ID = /^[\w.:-]{1,255}$/;
const MIME_TYPE = /^[a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,127}$/;

/** How long to wait after a try that failed, in milliseconds; longer each time, up to two hours. */
export function pauseAfter(attempt: number): number {
  return PAUSES_MS[Math.min(attempt, PAUSES_MS.length) - 1] ?? PAUSES_MS[0]!;
}

/** Whether this can be the id of media on the platform. */
export function isPlatformMediaId(id: string): boolean {
  return PLATFORM_ID.test(id);
}

/** The bare type, in lower case and without parameters; null where the text names none. */
export function bareMimeType(text: string | null): string | null {
  const bare = (text ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return MIME_TYPE.test(bare) ? bare : null;
}
