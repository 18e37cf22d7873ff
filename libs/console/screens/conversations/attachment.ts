import type { ReplyDto } from '../../../client/generated/types.gen';
import { t } from '../../language/translate';
import { bytes } from '../../ui/format';

/** A supported file type; the size limit is in MiB. */
interface Kind {
  type: Extract<ReplyDto['type'], 'Image' | 'Video' | 'Audio' | 'Document' | 'Sticker'>;
  limitMb: number;
  mimeTypes: readonly string[];
}

const MB = 1024 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** Matches the table in docs/api.md, “Media”. */
const KINDS: readonly Kind[] = [
  { type: 'Image', limitMb: 5, mimeTypes: ['image/jpeg', 'image/png'] },
  { type: 'Sticker', limitMb: 0.5, mimeTypes: ['image/webp'] },
  { type: 'Video', limitMb: 16, mimeTypes: ['video/mp4', 'video/3gpp'] },
  {
    type: 'Audio',
    limitMb: 16,
    mimeTypes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/x-m4a'],
  },
  {
    type: 'Document',
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
export const LIMITS = t('Pictures up to 5 MB, videos and voice messages up to 16 MB, documents up to 100 MB.');

/** How a file would be sent, or why it cannot be sent. */
export type AttachmentCheck = { type: Kind['type']; takesText: boolean } | { problem: string };

/** Checks a file's type and size. The service checks its content again. */
export function checkAttachment({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): AttachmentCheck {
  const kind = KINDS.find(({ mimeTypes }) => mimeTypes.includes(type.split(';')[0]!));
  if (!kind) return { problem: t('“{name}” has an unsupported file type. {limits}', { name, limits: LIMITS }) };
  if (size === 0) return { problem: t('“{name}” is empty.', { name }) };
  if (size > kind.limitMb * MB) {
    return { problem: tooLarge(kind, { name, size: bytes(size) }) };
  }
  return { type: kind.type, takesText: kind.type !== 'Audio' && kind.type !== 'Sticker' };
}

function tooLarge({ type, limitMb }: Kind, file: { name: string; size: string }): string {
  const values = { ...file, limitMb };
  switch (type) {
    case 'Image':
      return t('“{name}” is {size}; the limit for a picture is {limitMb, number} MB.', values);
    case 'Sticker':
      return t('“{name}” is {size}; the limit for a sticker is {limitMb, number} MB.', values);
    case 'Video':
      return t('“{name}” is {size}; the limit for a video is {limitMb, number} MB.', values);
    case 'Audio':
      return t('“{name}” is {size}; the limit for a voice message is {limitMb, number} MB.', values);
    case 'Document':
      return t('“{name}” is {size}; the limit for a document is {limitMb, number} MB.', values);
  }
}
