import { TextDecoder } from 'node:util';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import type { FileLimits } from '../file-limits';
import { corrupt, encrypted, FileRefused, tooLarge } from '../file-refused';
import { Utf8Decoder } from '../utf8-decoder';
import { type XmlHandler, XmlTokenizer } from './xml-tokenizer';

const RATIO_APPLIES_ABOVE = 50 * 1024 * 1024;

/** The zip container of an xlsx file; rejects zip bombs, false sizes and damaged files. */
export class ZipPackage {
  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
    private readonly limits: FileLimits,
  ) {}

  /** Opens the container and checks every entry of its directory. Throws FileRefused. */
  static async open(path: string, limits: FileLimits): Promise<ZipPackage> {
    const zip = await openPromise(path, { autoClose: false, decodeStrings: false }).catch(asCorrupt);
    try {
      return new ZipPackage(zip, await listEntries(zip, limits), limits);
    } catch (error) {
      zip.close();
      throw asRefusal(error);
    }
  }

  /** Whether there is a part with this name, ignoring case. */
  has(name: string): boolean {
    return this.entries.has(name.toLowerCase());
  }

  /** Whether there is a part whose name has this prefix. */
  hasFolder(prefix: string): boolean {
    return [...this.entries.keys()].some((name) => name.startsWith(prefix));
  }

  /**
   * Parses an XML part with `handler` and yields the handler after each chunk. Throws FileRefused if the part is missing or damaged, unpacks to more than
   * `maxBytes`, or exceeds the XML limits.
   */
  async *parse<H extends XmlHandler>(name: string, maxBytes: number, handler: H): AsyncGenerator<H> {
    const entry = this.entries.get(name.toLowerCase());
    if (entry === undefined) throw corrupt(`Its part ${name} is missing.`);
    const { xmlTokenCharacters, xmlElements, xmlElementsPerByte } = this.limits;
    const elements = xmlElements + xmlElementsPerByte * entry.compressedSize;
    const tokenizer = new XmlTokenizer(handler, { tokenCharacters: xmlTokenCharacters, elements });
    for await (const chunk of this.text(name, entry, maxBytes)) {
      tokenizer.write(chunk);
      yield handler;
    }
    tokenizer.end();
  }

  private async *text(name: string, entry: Entry, maxBytes: number): AsyncGenerator<string> {
    if (entry.isEncrypted()) throw encrypted();
    if (entry.uncompressedSize > maxBytes) throw unpacksTooLarge(maxBytes);
    let checksum = 0;
    let decoder: XmlDecoder | undefined;
    try {
      for await (const chunk of await this.zip.openReadStreamPromise(entry)) {
        const bytes = chunk as Buffer;
        checksum = crc32(bytes, checksum);
        decoder ??= new XmlDecoder(bytes);
        yield decoder.write(bytes);
      }
      decoder?.end();
    } catch (error) {
      throw asRefusal(error);
    }
    if (checksum !== entry.crc32) throw corrupt(`The checksum of its part ${name} is wrong.`);
  }

  /** Closes the file. */
  close(): void {
    this.zip.close();
  }
}

/** Decodes an XML part: UTF-8 unless the byte order mark, byte pattern or XML declaration indicates another encoding. */
class XmlDecoder {
  private readonly utf8 = new Utf8Decoder();
  private readonly other: TextDecoder | undefined;
  private atStart = true;

  constructor(head: Buffer) {
    const encoding = xmlEncoding(head);
    if (encoding !== 'utf-8') this.other = new TextDecoder(encoding, { fatal: true });
  }

  write(bytes: Buffer): string {
    const text = this.other ? this.other.decode(bytes, { stream: true }) : this.utf8.write(bytes);
    if (text === undefined) throw corrupt('Its text does not match its encoding.');
    if (!this.atStart || text === '') return text;
    this.atStart = false;
    return text.startsWith('\ufeff') ? text.slice(1) : text;
  }

  end(): void {
    this.other?.decode();
    if (!this.utf8.isComplete()) throw corrupt('Its text ends in the middle of a character.');
  }
}

function xmlEncoding(head: Buffer): string {
  const mark = head.subarray(0, 2).toString('hex');
  if (mark === 'fffe' || mark === '3c00') return 'utf-16le';
  if (mark === 'feff' || mark === '003c') return 'utf-16be';
  const declared = /^(?:\xef\xbb\xbf)?<\?xml[^>]*encoding\s*=\s*["']([\w.:-]+)["']/.exec(
    head.toString('latin1', 0, 200),
  )?.[1];
  const encoding = declared?.toLowerCase() ?? 'utf-8';
  // Text that starts with one-byte characters is not UTF-16, even if declared so.
  return encoding.startsWith('utf-16') || encoding === 'utf8' ? 'utf-8' : encoding;
}

async function listEntries(zip: ZipFile, limits: FileLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.zipEntries) throw tooLarge('It has too many parts.', limits.zipEntries);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.size >= limits.zipEntries) throw tooLarge('It has too many parts.', limits.zipEntries);
    if (entry.uncompressedSize > RATIO_APPLIES_ABOVE) {
      const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
      if (ratio > limits.compressionRatio)
        throw tooLarge('Its compression ratio is too high.', limits.compressionRatio);
    }
    const name = entry.fileNameRaw.toString('utf8').replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
    if (!entries.has(name)) entries.set(name, entry);
  }
  return entries;
}

function unpacksTooLarge(maxBytes: number): FileRefused {
  return tooLarge(`One of its parts unpacks to more than ${Math.round(maxBytes / 1024 / 1024)} MB.`, maxBytes);
}

function asCorrupt(error: unknown): never {
  throw asRefusal(error);
}

/** Converts errors of the zip reader and decoders to FileRefused; file system errors are passed through. */
function asRefusal(error: unknown): unknown {
  if (error instanceof FileRefused || isFileSystemError(error)) return error;
  return corrupt('Its zip container cannot be unpacked.');
}

function isFileSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
