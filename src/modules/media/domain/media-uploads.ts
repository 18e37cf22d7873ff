import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SendersService } from '../../accounts/domain/senders.service';
import { type FileEnds, isAnimatedWebp, detectTypes } from './file-signature';
import { EmptyMediaError, MediaTooLargeError, UnsupportedMediaError } from './media.errors';
import { declaredType, MEDIA_TYPES, type MediaKind, ANIMATED_STICKER_BYTES, typeFromExtension } from './media-type';
import { type OutgoingFile, PlatformMedia } from './platform-media.port';

/** What a file is for: a message, or the example of a new template's media header. */
export const MEDIA_PURPOSES = ['Message', 'TemplateExample'] as const;

/** One of MEDIA_PURPOSES. */
export type MediaPurpose = (typeof MEDIA_PURPOSES)[number];

/** A file that a client uploads. */
export interface ClientFile {
  fileName: string;
  /** The declared MIME type; null if there is none. */
  declaredType: string | null;
  /** In bytes. */
  size: number;
  ends: FileEnds;
  content: () => AsyncIterable<Uint8Array>;
}

/** A file on the platform. */
export interface UploadedMedia {
  /** For messages; null for an example. */
  mediaId: string | null;
  /** For the example of a template; null for a message. */
  handle: string | null;
  kind: MediaKind;
  mimeType: string;
  /** When the media id expires; null for an example. */
  expiresAt: Date | null;
}

/** The platform keeps uploaded media for 30 days. */
const UPLOAD_LIFETIME_MS = 30 * 86_400_000;
const EXAMPLE_TYPES = ['image/jpeg', 'image/png', 'video/mp4', 'application/pdf'];

/** Uploads files to the platform, after checking them: the platform reports some errors only when delivery fails. */
@Injectable()
export class MediaUploads {
  constructor(
    private readonly senders: SendersService,
    private readonly platform: PlatformMedia,
    private readonly clock: Clock,
  ) {}

  /**
   * Uploads a file to the platform, for messages of the sender; throws SenderNotFoundError, EmptyMediaError, UnsupportedMediaError, MediaTooLargeError, MediaRejectedError or
   * MediaPlatformUnavailableError. Can be repeated safely; each call creates another upload.
   */
  async upload(accountId: string, purpose: MediaPurpose, file: ClientFile, senderId?: string): Promise<UploadedMedia> {
    const mimeType = checkedType(file, purpose);
    const { kind } = MEDIA_TYPES.get(mimeType)!;
    const sender = await this.senders.ofAccount(accountId, senderId);
    const { fileName, size, content } = file;
    const outgoing: OutgoingFile = { fileName, mimeType, size, content };
    if (purpose === 'TemplateExample') {
      const handle = await this.platform.uploadExample(sender, outgoing);
      return { mediaId: null, handle, kind, mimeType, expiresAt: null };
    }
    const mediaId = await this.platform.upload(sender, outgoing);
    return {
      mediaId,
      handle: null,
      kind,
      mimeType,
      expiresAt: new Date(this.clock.now().getTime() + UPLOAD_LIFETIME_MS),
    };
  }
}

/** Determines the type from the bytes, the declared type and the name; throws if the platform does not support it. */
function checkedType(file: ClientFile, purpose: MediaPurpose): string {
  if (file.size === 0) throw new EmptyMediaError();
  const possible = detectTypes(file.ends);
  const allowed = purpose === 'Message' ? [...MEDIA_TYPES.keys()] : EXAMPLE_TYPES;
  const declared = declaredType(file.declaredType);
  const type = declared ?? typeFromExtension(file.fileName, possible) ?? (possible.length === 1 ? possible[0]! : null);
  if (possible.length === 0 || (type !== null && !allowed.includes(type))) {
    throw new UnsupportedMediaError(`The platform does not support this file. It supports ${allowed.join(', ')}.`);
  }
  if (type === null) {
    throw new UnsupportedMediaError(
      `The type of the file is ambiguous. Set the content type of its form part to ${possible.join(' or ')}.`,
    );
  }
  if (!possible.includes(type)) {
    throw new UnsupportedMediaError(
      `The file is declared as ${type}, but its content is ${possible.join(' or ')}. Declare its actual type.`,
    );
  }
  const isAnimated = type === 'image/webp' && isAnimatedWebp(file.ends.head);
  const limit = isAnimated ? ANIMATED_STICKER_BYTES : MEDIA_TYPES.get(type)!.maxBytes;
  if (file.size > limit) throw new MediaTooLargeError(type, limit);
  return type;
}
