import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { undecodable, unsupported } from '../file-refused';
import { incompleteBytes } from '../utf8-decoder';

/** Supported encodings of text files. */
export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'windows-1256';

/** The encoding of a text file, and the length of its byte order mark in bytes. */
export interface DetectedEncoding {
  encoding: TextEncodingName;
  bomBytes: number;
}

const CHUNK_BYTES = 1024 * 1024;
const HEAD_BYTES = 64 * 1024;
/** Bytes of windows-1256 that are Arabic letters; the others of the range are French letters, rare in Arabic text. */
const ARABIC_LETTERS = new Set(
  [
    [0xc0, 0xd6],
    [0xd8, 0xdf],
    [0xe1, 0xe1],
    [0xe3, 0xe6],
    [0xec, 0xed],
  ].flatMap(([from = 0, to = 0]) => Array.from({ length: to - from + 1 }, (_, n) => from + n)),
);

/**
 * Detects the encoding of a text file from its bytes: by byte order mark, then by the pattern of NUL bytes (UTF-16), then
 * by whether the whole file is UTF-8, then by the bytes of its words. Throws FileRefused for binary files, for damaged UTF-8
 * and for other encodings, as a wrong guess would send unreadable messages.
 */
export function detectEncoding(path: string): DetectedEncoding {
  const file = openSync(path, 'r');
  try {
    const head = readChunk(file, Buffer.alloc(HEAD_BYTES), 0);
    return bomEncoding(head) ?? utf16Pattern(head) ?? { encoding: encodingOfWholeFile(file), bomBytes: 0 };
  } finally {
    closeSync(file);
  }
}

function bomEncoding(head: Buffer): DetectedEncoding | undefined {
  if (head.subarray(0, 4).equals(Buffer.from([0xff, 0xfe, 0, 0]))) throw undecodable('It is UTF-32.');
  const mark = head.subarray(0, 3).toString('hex');
  if (mark === 'efbbbf') return { encoding: 'utf-8', bomBytes: 3 };
  if (mark.startsWith('fffe')) return { encoding: 'utf-16le', bomBytes: 2 };
  if (mark.startsWith('feff')) return { encoding: 'utf-16be', bomBytes: 2 };
  return undefined;
}

/** Detects UTF-16 without a byte order mark: in digits, spaces and line breaks every second byte is NUL. */
function utf16Pattern(head: Buffer): DetectedEncoding | undefined {
  let even = 0;
  let odd = 0;
  let otherControls = 0;
  for (const [at, byte] of head.entries()) {
    if (byte === 0) {
      if (at % 2 === 0) even++;
      else odd++;
    } else if (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) otherControls++;
  }
  const pairs = head.length / 2;
  if (odd > pairs / 10 && even * 20 < odd) return { encoding: 'utf-16le', bomBytes: 0 };
  if (even > pairs / 10 && odd * 20 < even) return { encoding: 'utf-16be', bomBytes: 0 };
  if (even + odd + otherControls > head.length / 50 + 2)
    throw unsupported('The file is neither a spreadsheet nor text.');
  return undefined;
}

function encodingOfWholeFile(file: number): TextEncodingName {
  if (eachChunk(file, isUtf8)) return 'utf-8';
  const statistics = new ByteRunStatistics();
  eachChunk(file, (bytes) => {
    statistics.add(bytes);
    return true;
  });
  return statistics.encoding();
}

/** Reads the file in chunks that end with a complete character if it is UTF-8, until `accept` returns false. */
function eachChunk(file: number, accept: (bytes: Buffer) => boolean): boolean {
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let position = 0;
  for (;;) {
    const bytes = readChunk(file, buffer, position);
    if (bytes.length === 0) return true;
    const isLast = bytes.length < buffer.length;
    const complete = isLast ? bytes.length : bytes.length - incompleteBytes(bytes);
    if (!accept(bytes.subarray(0, complete))) return false;
    position += complete;
  }
}

/** Classifies runs of non-ASCII bytes: UTF-8 characters, single letters in European words, or complete Arabic words. */
class ByteRunStatistics {
  private utf8Characters = 0;
  private brokenBytes = 0;
  private lettersInLongRuns = 0;
  private arabicInLongRuns = 0;
  private lettersInShortRuns = 0;

  add(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at++) {
      if ((bytes[at] ?? 0) < 0x80) continue;
      const start = at;
      while (at < bytes.length && (bytes[at] ?? 0) >= 0x80) at++;
      this.countRun(bytes.subarray(start, at));
    }
  }

  encoding(): TextEncodingName {
    if (this.utf8Characters > 0 && this.utf8Characters >= this.brokenBytes) {
      throw undecodable('It is UTF-8 with damaged characters.');
    }
    if (this.lettersInLongRuns <= this.lettersInShortRuns) return 'windows-1252';
    if (this.arabicInLongRuns < this.lettersInLongRuns * 0.8) throw undecodable('Its encoding is unknown.');
    return 'windows-1256';
  }

  private countRun(run: Buffer): void {
    for (let at = 0; at < run.length;) {
      const length = utf8Length(run, at);
      if (length === 0) this.brokenBytes++;
      else this.utf8Characters++;
      at += Math.max(1, length);
    }
    const letters = run.filter((byte) => byte >= 0xc0);
    if (run.length < 3) this.lettersInShortRuns += letters.length;
    else {
      this.lettersInLongRuns += letters.length;
      this.arabicInLongRuns += letters.filter((byte) => ARABIC_LETTERS.has(byte)).length;
    }
  }
}

/** Length in bytes of the UTF-8 character at `at`; 0 if there is none. */
function utf8Length(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  return length > 0 && at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}

function readChunk(file: number, buffer: Buffer, position: number): Buffer {
  return buffer.subarray(0, readSync(file, buffer, 0, buffer.length, position));
}
