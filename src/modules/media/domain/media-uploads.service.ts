import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SendersService } from '../../accounts/domain/senders.service';
import { type FileEnds, isMovingWebp, typesByBytes } from './file-signature';
import { EmptyMediaError, MediaTooLargeError, UnsupportedMediaError } from './media.errors';
import { declaredType, MEDIA_TYPES, type MediaKind, MOVING_STICKER_BYTES, typeByName } from './media-type';
import { type OutgoingFile, PlatformMedia } from './platform-media.port';

/** What a file is for: a message, or the example that a template with a media header is submitted with. */
export const MEDIA_PURPOSES = ['Message', 'TemplateExample'] as const;

/** One of MEDIA_PURPOSES. */
export type MediaPurpose = (typeof MEDIA_PURPOSES)[number];

/** A file as a client sends it. */
export interface ClientFile {
  fileName: string;
  /** As the client names its type; null where it does not. */
  declaredType: string | null;
  /** In bytes. */
  size: number;
  ends: FileEnds;
  content: () => AsyncIterable<Uint8Array>;
}

/** A file that the platform has. */
export interface UploadedMedia {
  /** For messages; null for an example. */
  mediaId: string | null;
  /** For the example of a template; null for a message. */
  handle: string | null;
  kind: MediaKind;
  mimeType: string;
  /** When the platform forgets it; null for an example. */
  expiresAt: Date | null;
}

/** The platform keeps uploaded media for 30 days. */
const KEPT_MS = 30 * 86_400_000;
const EXAMPLE_TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf'];

/** Files that go to the platform: checked here first, since it tells some faults only when a message is not delivered. */
@Injectable()
export class MediaUploads {
  constructor(
    private readonly senders: SendersService,
    private readonly platform: PlatformMedia,
    private readonly clock: Clock,
  ) {}

  /**
   * Gives a file to the platform; throws EmptyMediaError, UnsupportedMediaError, MediaTooLargeError, MediaRejectedError or
   * MediaPlatformAwayError. Repeated it makes another upload, which does no harm.
   */
  async upload(accountId: string, purpose: MediaPurpose, file: ClientFile): Promise<UploadedMedia> {
    const mimeType = checkedType(file, purpose);
    const { kind } = MEDIA_TYPES.get(mimeType)!;
    const sender = await this.senders.ofAccount(accountId);
    const { fileName, size, content } = file;
    const outgoing: OutgoingFile = { fileName, mimeType, size, content };
    if (purpose === 'TemplateExample') {
      const handle = await this.platform.uploadExample(sender, outgoing);
      return { mediaId: null, handle, kind, mimeType, expiresAt: null };
    }
    const mediaId = await this.platform.upload(sender, outgoing);
    return { mediaId, handle: null, kind, mimeType, expiresAt: new Date(this.clock.now().getTime() + KEPT_MS) };
  }
}

/** The type of a file by its bytes and by what the client says of it; throws where the platform would not take it. */
function checkedType(file: ClientFile, purpose: MediaPurpose): string {
  if (file.size === 0) throw new EmptyMediaError();
  const possible = typesByBytes(file.ends);
  const allowed = purpose === 'Message' ? [...MEDIA_TYPES.keys()] : EXAMPLE_TYPES;
  const declared = declaredType(file.declaredType);
  const type = declared ?? typeByName(file.fileName, possible) ?? (possible.length === 1 ? possible[0]! : null);
  if (possible.length === 0 || (type !== null && !allowed.includes(type))) {
    throw new UnsupportedMediaError(`The platform does not take this file. It takes ${allowed.join(', ')}.`);
  }
  if (type === null) {
    throw new UnsupportedMediaError(`Name the type of the file in its part of the form: ${possible.join(' or ')}.`);
  }
  if (!possible.includes(type)) {
    throw new UnsupportedMediaError(
      `The file is sent as ${type}, but its bytes are those of ${possible.join(' or ')}. Send it as what it is.`,
    );
  }
  const moves = type === 'image/webp' && isMovingWebp(file.ends.head);
  const limit = moves ? MOVING_STICKER_BYTES : MEDIA_TYPES.get(type)!.maxBytes;
  if (file.size > limit) throw new MediaTooLargeError(type, limit);
  return type;
}
