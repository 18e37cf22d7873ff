import type { ReplyDto } from '../../../client/generated/types.gen';
import { bytes } from '../../ui/format';

/** A kind of file that can be sent, with its limit in units of 1,048,576 bytes. */
interface Kind {
  type: Extract<ReplyDto['type'], 'Image' | 'Video' | 'Audio' | 'Document' | 'Sticker'>;
  /** In a sentence: “a picture”. */
  name: string;
  limitMb: number;
  mimeTypes: readonly string[];
}

const MB = 1024 * 1024;
const OFFICE = 'application/vnd.openxmlformats-officedocument';

/** The table of docs/api.md, “Media”. */
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

/** What the dialog for choosing a file offers. */
export const ACCEPTED = KINDS.flatMap(({ mimeTypes }) => mimeTypes).join(',');

/** The limits, in one sentence. */
export const LIMITS = 'Pictures up to 5 MB, videos and voice messages up to 16 MB, documents up to 100 MB.';

/** A file that can be sent, or why it cannot. */
export type Judged = { type: Kind['type']; takesText: boolean } | { problem: string };

/** What a file would be sent as. The service looks at its bytes once more. */
export function judge({ name, type, size }: Pick<File, 'name' | 'type' | 'size'>): Judged {
  const kind = KINDS.find(({ mimeTypes }) => mimeTypes.includes(type.split(';')[0]!));
  if (!kind) return { problem: `“${name}” is of a kind that cannot be sent. ${LIMITS}` };
  if (size === 0) return { problem: `“${name}” is empty.` };
  if (size > kind.limitMb * MB) {
    return { problem: `“${name}” has ${bytes(size)}; ${kind.name} may have ${kind.limitMb} MB at most.` };
  }
  return { type: kind.type, takesText: kind.type !== 'Audio' && kind.type !== 'Sticker' };
}
