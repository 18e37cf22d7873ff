import type { ReplyDto } from '../../../client/generated/types.gen';
import { bytes } from '../../ui/format';

/** A supported file type; the size limit is in MiB. */
interface Kind {
  type: Extract<ReplyDto['type'], 'Image' | 'Video' | 'Audio' | 'Document' | 'Sticker'>;
  /** With article, for sentences: “a picture”. */
  name: string;
  limitMb: number;
  mimeTypes: readonly string[];
}

const MB = 1024 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Matches the table in docs/api.md, “Media”. */
const KINDS: readonly Kind[] = [
  { type: 'Image', name: 'a picture', limitMb: 5, mimeTypes: ['image/jpeg', 'image/png'] },
  { type: 'Sticker', name: 'a sticker', limitMb: 0.5, mimeTypes: ['image/webp'] },
  { type: 'Video', name: 'a video', limitMb: 16, mimeTypes: ['video/mp4', 'video/3gpp'] },
  {
    type: 'Audio',
    name: 'a voice message',
    limitMb: 16,
    mimeTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/x-m4a'],
  },
  {
    type: 'Document',
    name: 'a document',
    limitMb: 100,
    mimeTypes: [
      'application/pdf',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      `${OFFICE}.wordprocessingml.document`,
      `${OFFICE}.spreadsheetml.sheet`,
      `${OFFICE}.presentationml.presentation`,
      'text/plain',
    ],
  },
];

/** The `accept` attribute of the file input. */
export const ACCEPTED = KINDS.flatMap(({ mimeTypes }) => mimeTypes).join(',');

/** The size limits in one sentence. */
export const LIMITS = 'Pictures up to 5 MB, videos and voice messages up to 16 MB, documents up to 100 MB.';

/** How a file would be sent, or why it cannot be sent. */
export type AttachmentCheck = { type: Kind['type']; takesText: boolean } | { problem: string };

/** Checks a file's type and size. The service checks its content again. */
export function checkAttachment({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): AttachmentCheck {
  const kind = KINDS.find(({ mimeTypes }) => mimeTypes.includes(type.split(';')[0]!));
  if (!kind) return { problem: `“${name}” has an unsupported file type. ${LIMITS}` };
  if (size === 0) return { problem: `“${name}” is empty.` };
  if (size > kind.limitMb * MB) {
    return { problem: `“${name}” is ${bytes(size)}; the limit for ${kind.name} is ${kind.limitMb} MB.` };
  }
  return { type: kind.type, takesText: kind.type !== 'Audio' && kind.type !== 'Sticker' };
}
