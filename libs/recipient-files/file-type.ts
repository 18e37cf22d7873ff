import { encrypted, unsupported } from './file-refused';

/** The kind of a file by its first bytes: a zip container, an OLE container, or text. */
export type FileKind = 'zip' | 'ole' | 'text';

const ZIP = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const EMPTY_ZIP = Buffer.from([0x50, 0x4b, 0x05, 0x06]);
const OLE = Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);

/** Unsupported files with a specific message, by their first bytes. */
const UNSUPPORTED_SIGNATURES: readonly [Buffer, string][] = [
  [Buffer.from('%PDF-'), 'The file is a PDF document.'],
  [Buffer.from('{\\rtf'), 'The file is a text document (RTF).'],
  [Buffer.from('MIME-Version:'), 'The file is a web page saved by a spreadsheet program.'],
  [Buffer.from([0x1f, 0x8b]), 'The file is a gzip archive.'],
  [Buffer.from([0x37, 0x7a, 0xbc, 0xaf]), 'The file is a 7-Zip archive.'],
  [Buffer.from('Rar!'), 'The file is a RAR archive.'],
  [Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'The file is an image.'],
  [Buffer.from([0xff, 0xd8, 0xff]), 'The file is an image.'],
  [Buffer.from('GIF8'), 'The file is an image.'],
];

/** Detects the kind of a file by its first bytes. Throws FileRefused for unsupported files. */
export function fileKind(head: Buffer): FileKind {
  if (startsWith(head, ZIP) || startsWith(head, EMPTY_ZIP)) return 'zip';
  if (isOleContainer(head)) return 'ole';
  const unsupportedType = UNSUPPORTED_SIGNATURES.find(([magic]) => startsWith(head, magic));
  if (unsupportedType) throw unsupported(unsupportedType[1]);
  return 'text';
}

/** Whether the file is an OLE container: an old Office file (.xls, .doc) or a password-protected file. */
export function isOleContainer(head: Buffer): boolean {
  return startsWith(head, OLE);
}

/** Rejects JSON and markup, as spreadsheet programs save HTML and XML with the extension .xls. Throws FileRefused. */
export function rejectOtherText(text: string): void {
  const start = text.slice(0, 1_000).trimStart();
  if (/^(\{\s*["}]|\[\s*[[{"\]])/.test(start)) {
    throw unsupported(
      'The file is JSON. Recipients are rows of a table: the phone number first, then one column for each value. ' +
        'A program sends a list as JSON with POST /bulk-jobs.',
    );
  }
  if (!/^<[a-z!?]/i.test(start)) return;
  const kind = /^<\?xml|^<Workbook/i.test(start) ? 'an XML file' : 'a web page (HTML)';
  throw unsupported(`The file is ${kind}, regardless of its name. Open it in a spreadsheet program.`);
}

/** Rejects OLE containers without an xls workbook. `streams`: the stream names. Throws FileRefused. */
export function rejectOtherOleFiles(streams: readonly string[]): void {
  const names = new Set(streams.map((name) => name.toLowerCase()));
  if (names.has('workbook') || names.has('book')) return;
  if (names.has('encryptedpackage') || names.has('encryptioninfo')) throw encrypted();
  throw unsupported('The file is an Office document, but not a spreadsheet.');
}

function startsWith(head: Buffer, magic: Buffer): boolean {
  return head.subarray(0, magic.length).equals(magic);
}
