import { createHash } from 'node:crypto';

/** One uploaded file. */
export interface StoredMedia {
  id: string;
  kind: string;
  mimeType: string;
  bytes: Buffer;
  sha256: string;
}

interface Rule {
  kind: string;
  maxBytes: number;
}

const MEGABYTE = 1024 * 1024;
const AUDIO = { kind: 'audio', maxBytes: 16 * MEGABYTE };
const DOCUMENT = { kind: 'document', maxBytes: 100 * MEGABYTE };
const IMAGE = { kind: 'image', maxBytes: 5 * MEGABYTE };
const VIDEO = { kind: 'video', maxBytes: 16 * MEGABYTE };
const STICKER = { kind: 'sticker', maxBytes: 500 * 1024 };

const RULES: Record<string, Rule> = {
  'audio/aac': AUDIO,
  'audio/amr': AUDIO,
  'audio/mpeg': AUDIO,
  'audio/mp4': AUDIO,
  'audio/ogg': AUDIO,
  'text/plain': DOCUMENT,
  'application/pdf': DOCUMENT,
  'application/msword': DOCUMENT,
  'application/vnd.ms-excel': DOCUMENT,
  'application/vnd.ms-powerpoint': DOCUMENT,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': DOCUMENT,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': DOCUMENT,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': DOCUMENT,
  'image/jpeg': IMAGE,
  'image/png': IMAGE,
  'image/webp': STICKER,
  'video/mp4': VIDEO,
  'video/3gpp': VIDEO,
};

const FIRST_ID = 900_000_000_000_011;
const MAX_BYTES = 256 * MEGABYTE;

/** The MIME types that the platform accepts. */
export const MEDIA_TYPES = Object.keys(RULES);

/** Kind and maximum size of a MIME type; undefined if the platform does not accept it. */
export function mediaRule(mimeType: string): Rule | undefined {
  return RULES[mimeType];
}

/** Uploaded media in memory; beyond 256 MB the oldest are removed. */
export class MediaStore {
  private readonly media = new Map<string, StoredMedia>();
  private bytes = 0;
  private nextId = FIRST_ID;

  /** Stores a file of an accepted MIME type. */
  add(mimeType: string, bytes: Buffer): StoredMedia {
    const id = String(this.nextId);
    this.nextId += 1;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const stored = { id, kind: RULES[mimeType]?.kind ?? 'document', mimeType, bytes, sha256 };
    this.media.set(id, stored);
    this.bytes += bytes.length;
    for (const oldest of this.media.keys()) {
      if (this.bytes <= MAX_BYTES || oldest === id) break;
      this.remove(oldest);
    }
    return stored;
  }

  /** The file with this id. */
  get(id: string): StoredMedia | undefined {
    return this.media.get(id);
  }

  /** The kind of a file (image, video, document, …); undefined for an unknown id. */
  kindOf(id: string): string | undefined {
    return this.media.get(id)?.kind;
  }

  /** Removes a file; returns false if there is none. */
  remove(id: string): boolean {
    this.bytes -= this.media.get(id)?.bytes.length ?? 0;
    return this.media.delete(id);
  }

  /** Removes all files. */
  clear(): void {
    this.media.clear();
    this.bytes = 0;
  }
}
