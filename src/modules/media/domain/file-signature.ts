const OFFICE = 'application/vnd.openxmlformats-officedocument.';
/** Office documents before 2007 share one container format; only a full parser could tell them apart. */
const OLD_OFFICE = ['application/msword', 'application/vnd.ms-excel', 'application/vnd.ms-powerpoint'];
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
/** A part that only this kind of document has; the end of a zip file lists all its parts. */
const OFFICE_PARTS = [
  ['word/document', `${OFFICE}wordprocessingml.document`],
  ['xl/workbook', `${OFFICE}spreadsheetml.sheet`],
  ['ppt/presentation', `${OFFICE}presentationml.presentation`],
] as const;
const SOUND_BRANDS = ['M4A ', 'M4B ', 'M4P '];
/** Brands of QuickTime and of still images, which use the same container. */
const OTHER_BRANDS = /^(qt {2}|heic|heix|hevc|hevx|heim|heis|mif1|msf1|avif|avis|crx |jp2 )$/;
const MOVING = 0x02;
const PLAYABLE = /^(image|video|audio)\//;

/** The first and last bytes of a file; they overlap in a short file. */
export interface FileEnds {
  head: Buffer;
  tail: Buffer;
}

/** How many bytes of each end are needed: the list of parts at the end of a large presentation is long. */
export const END_BYTES = { head: 4 * 1024, tail: 256 * 1024 };

/** The supported types that match the bytes of a file, the likeliest first; empty if there is none. */
export function typesByBytes({ head, tail }: FileEnds): readonly string[] {
  const startsWith = (text: string, at = 0) => head.toString('latin1', at, at + text.length) === text;
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return ['image/jpeg'];
  if (startsWith('\x89PNG\r\n\x1a\n')) return ['image/png'];
  if (startsWith('RIFF')) return startsWith('WEBP', 8) ? ['image/webp'] : [];
  if (startsWith('%PDF-')) return ['application/pdf'];
  if (startsWith('PK\x03\x04')) return officeTypes(tail);
  if (head.subarray(0, OLE.length).equals(OLE)) return OLD_OFFICE;
  if (startsWith('#!AMR')) return ['audio/amr'];
  if (startsWith('OggS')) return head.includes('OpusHead') ? ['audio/ogg'] : [];
  if (startsWith('ftyp', 4)) return mp4Types(head.toString('latin1', 8, 12));
  if (startsWith('ID3')) return ['audio/mpeg', 'audio/aac'];
  if (head[0] === 0xff && (head[1]! & 0xf6) === 0xf0) return ['audio/aac'];
  if (head[0] === 0xff && (head[1]! & 0xe6) === 0xe2) return ['audio/mpeg'];
  return isText(head) ? ['text/plain'] : [];
}

/** Whether bytes are what a picture, video or audio of this type begins with; false for every other type. */
export function isPlayable(mimeType: string, head: Buffer): boolean {
  return PLAYABLE.test(mimeType) && typesByBytes({ head, tail: head }).includes(mimeType);
}

/** Whether a WebP image is animated, by its first bytes. */
export function isMovingWebp(head: Buffer): boolean {
  return head.toString('latin1', 12, 16) === 'VP8X' && (head[20]! & MOVING) !== 0;
}

function officeTypes(tail: Buffer): readonly string[] {
  return OFFICE_PARTS.filter(([part]) => tail.includes(part, 0, 'latin1')).map(([, type]) => type);
}

function mp4Types(brand: string): readonly string[] {
  if (brand.startsWith('3g')) return ['video/3gpp'];
  if (SOUND_BRANDS.includes(brand)) return ['audio/mp4'];
  return OTHER_BRANDS.test(brand) ? [] : ['video/mp4', 'audio/mp4'];
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
