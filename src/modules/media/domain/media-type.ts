/** The platform's kinds of media messages. */
export type MediaKind = 'audio' | 'document' | 'image' | 'sticker' | 'video';

/** A supported type: its kind, file extensions and maximum size. */
export interface MediaType {
  kind: MediaKind;
  extensions: readonly string[];
  maxBytes: number;
}

const KB = 1024;
const MB = 1024 * KB;
const audio = (...extensions: string[]): MediaType => ({ kind: 'audio', extensions, maxBytes: 16 * MB });
const documentOf = (...extensions: string[]): MediaType => ({ kind: 'document', extensions, maxBytes: 100 * MB });
const image = (...extensions: string[]): MediaType => ({ kind: 'image', extensions, maxBytes: 5 * MB });
const video = (...extensions: string[]): MediaType => ({ kind: 'video', extensions, maxBytes: 16 * MB });
const OFFICE = 'application/vnd.openxmlformats-officedocument.';

/** The types that the platform supports, by MIME type. */
export const MEDIA_TYPES: ReadonlyMap<string, MediaType> = new Map([
  ['audio/aac', audio('aac')],
  ['audio/amr', audio('amr')],
  ['audio/mpeg', audio('mp3')],
  ['audio/mp4', audio('m4a')],
  ['audio/ogg', audio('ogg', 'oga', 'opus')],
  ['text/plain', documentOf('txt', 'text', 'csv', 'md', 'log')],
  ['application/pdf', documentOf('pdf')],
  ['application/msword', documentOf('doc')],
  ['application/vnd.ms-excel', documentOf('xls')],
  ['application/vnd.ms-powerpoint', documentOf('ppt')],
  [`${OFFICE}wordprocessingml.document`, documentOf('docx')],
  [`${OFFICE}spreadsheetml.sheet`, documentOf('xlsx')],
  [`${OFFICE}presentationml.presentation`, documentOf('pptx')],
  ['image/jpeg', image('jpg', 'jpeg')],
  ['image/png', image('png')],
  ['image/webp', { kind: 'sticker', extensions: ['webp'], maxBytes: 100 * KB }],
  ['video/mp4', video('mp4')],
  ['video/3gpp', video('3gp', '3gpp')],
]);

/** Maximum size of an animated sticker, in bytes. */
export const ANIMATED_STICKER_BYTES = 500 * KB;

/** Other names of these types. */
const ALIASES: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'audio/mp3': 'audio/mpeg',
  'audio/m4a': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-aac': 'audio/aac',
  'audio/aacp': 'audio/aac',
  'audio/opus': 'audio/ogg',
  'application/ogg': 'audio/ogg',
  'application/x-pdf': 'application/pdf',
};

/** Normalises a declared MIME type to the platform's name; null if it is absent or generic. */
export function declaredType(text: string | null): string | null {
  const bare = (text ?? '').split(';', 1)[0]!.trim().toLowerCase();
  return bare === '' || bare === 'application/octet-stream' ? null : (ALIASES[bare] ?? bare);
}

/** The usual file extension of a type, such as `pdf`; null for an unsupported type. */
export function extensionOf(mimeType: string | null): string | null {
  return MEDIA_TYPES.get(mimeType ?? '')?.extensions[0] ?? null;
}

/** The first of the possible types that matches the extension of the file name; null: none. */
export function typeFromExtension(fileName: string, possible: readonly string[]): string | null {
  const extension = fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase();
  return possible.find((type) => MEDIA_TYPES.get(type)?.extensions.includes(extension)) ?? null;
}
