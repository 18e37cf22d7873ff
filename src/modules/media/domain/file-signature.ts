const OFFICE = 'application/vnd.openxmlformats-officedocument.';
/** Office formats before 2007 share one container; only a full parser could distinguish them. */
const LEGACY_OFFICE = ['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'];
const OLE_SIGNATURE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
/** A part that only this type contains; the end of a zip file lists all its parts. */
const OFFICE_TYPES_BY_PART = [
  ['word/document', `${OFFICE}wordprocessingml.document`],
  ['xl/workbook', `${OFFICE}spreadsheetml.sheet`],
  ['ppt/presentation', `${OFFICE}presentationml.presentation`],
] as const;
const AUDIO_BRANDS = ['M4A ', 'M4B ', 'M4P '];
/** Brands of QuickTime and of still images, which use the same container. */
const UNSUPPORTED_BRANDS = /^(qt {2}|heic|heix|hevc|hevx|heim|heis|mif1|msf1|avif|avis|crx |jp2 )$/;
const WEBP_ANIMATION_FLAG = 0x02;
const PLAYABLE = /^(image|video|audio)\//;

/** The first and last bytes of a file; they overlap in a short file. */
export interface FileEnds {
  head: Buffer;
  tail: Buffer;
}

/** Bytes needed of each end: the list of parts at the end of a large presentation is long. */
export const END_BYTES = { head: 4 * 1024, tail: 256 * 1024 };

/** Detects the supported types that match the bytes of a file, most likely first; empty: none. */
export function detectTypes({ head, tail }: FileEnds): readonly string[] {
  const startsWith = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text;
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return ['image/jpeg'];
  if (startsWith('\x89PNG\r\n\x1a\n')) return ['image/png'];
  if (startsWith('RIFF')) return startsWith('WEBP', 8) ? ['image/webp'] : [];
  if (startsWith('%PDF-')) return ['application/pdf'];
  if (startsWith('PK\x03\x04')) return officeTypes(tail);
  if (head.subarray(0, OLE_SIGNATURE.length).equals(OLE_SIGNATURE)) return LEGACY_OFFICE;
  if (startsWith('#!AMR')) return ['audio/amr'];
  if (startsWith('OggS')) return head.includes('OpusHead') ? ['audio/ogg'] : [];
  if (startsWith('ftyp', 4)) return mp4Types(head.toString('latin1', 8, 12));
  if (startsWith('ID3')) return ['audio/mpeg', 'audio/aac'];
  if (head[0] === 0xff && (head[1]! & 0xf6) === 0xf0) return ['audio/aac'];
  if (head[0] === 0xff && (head[1]! & 0xe6) === 0xe2) return ['audio/mpeg'];
  return isText(head) ? ['text/plain'] : [];
}

/** Whether the first bytes match this image, video or audio type; false for every other type. */
export function isPlayable(mimeType: string, head: Buffer): boolean {
  return PLAYABLE.test(mimeType) && detectTypes({ head, tail: head }).includes(mimeType);
}

/** Whether a WebP image is animated, by its first bytes. */
export function isAnimatedWebp(head: Buffer): boolean {
  return head.toString('latin1', 12, 16) === 'VP8X' && (head[20]! & WEBP_ANIMATION_FLAG) !== 0;
}

function officeTypes(tail: Buffer): readonly string[] {
  return OFFICE_TYPES_BY_PART.filter(([part]) => tail.includes(part, 0, 'latin1')).map(([, type]) => type);
}

function mp4Types(brand: string): readonly string[] {
  if (brand.startsWith('3g')) return ['video/3gpp'];
  if (AUDIO_BRANDS.includes(brand)) return ['audio/mp4'];
  return UNSUPPORTED_BRANDS.test(brand) ? [] : ['video/mp4', 'audio/mp4'];
}

/** Whether the bytes are UTF-8 text without binary control characters; the head may end within a character. */
function isText(head: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(text);
  } catch {
    return false;
  }
}
