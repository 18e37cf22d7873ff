import type { FileLimits } from '../file-limits';
import { corrupt, tooLarge } from '../file-refused';
import { decodeCellEscapes, decodeXmlText } from './xml-text';
import type { XmlHandler } from './xml-tokenizer';

const CHUNK_BYTES = 4 * 1024 * 1024;
/** Marks the length of a text with characters beyond U+00FF, which takes two bytes per character. */
const WIDE = 0x80000000;

/** The texts that cells refer to by number, stored outside of the heap with an overhead of eight bytes each. */
export class SharedStrings {
  private readonly chunks: Buffer[] = [];
  private used = CHUNK_BYTES;
  private offsets = new Uint32Array(1024);
  private lengths = new Uint32Array(1024);
  private count = 0;
  private textBytes = 0;

  constructor(private readonly limits: Pick<FileLimits, 'sharedStrings' | 'sharedTextBytes'>) {}

  /** Adds a text under the next number. Throws FileRefused beyond the limits. */
  add(text: string): void {
    const wide = /[^\x00-\xff]/.test(text);
    const bytes = wide ? text.length * 2 : text.length;
    this.textBytes += bytes;
    this.rejectBeyondLimits();
    if (this.used + bytes > CHUNK_BYTES) {
      this.chunks.push(Buffer.allocUnsafeSlow(CHUNK_BYTES));
      this.used = 0;
    }
    if (this.count === this.offsets.length) {
      this.offsets = doubled(this.offsets);
      this.lengths = doubled(this.lengths);
    }
    const chunk = this.chunks.length - 1;
    this.chunks[chunk]?.write(text, this.used, wide ? 'utf16le' : 'latin1');
    // UTF-16 units are at even offsets, where they can be copied directly.
    this.offsets[this.count] = (chunk * CHUNK_BYTES + this.used) / 2;
    this.lengths[this.count] = wide ? bytes + WIDE : bytes;
    this.used += bytes + (bytes & 1);
    this.count++;
  }

  private rejectBeyondLimits(): void {
    const { sharedStrings, sharedTextBytes } = this.limits;
    if (this.count >= sharedStrings) {
      throw tooLarge(`It has more than ${sharedStrings.toLocaleString('en')} texts.`, sharedStrings);
    }
    if (this.textBytes > sharedTextBytes) {
      throw tooLarge(`Its texts take more than ${sharedTextBytes.toLocaleString('en')} bytes.`, sharedTextBytes);
    }
  }

  /** The text with this number. Throws FileRefused if there is none. */
  get(index: number): string {
    const marked = this.lengths[index];
    if (marked === undefined || index >= this.count) throw corrupt('A cell refers to a text that does not exist.');
    const offset = (this.offsets[index] ?? 0) * 2;
    const chunk = this.chunks[Math.floor(offset / CHUNK_BYTES)];
    const start = offset % CHUNK_BYTES;
    const wide = marked >= WIDE;
    const end = start + (wide ? marked - WIDE : marked);
    return chunk?.toString(wide ? 'utf16le' : 'latin1', start, end) ?? '';
  }
}

/** Fills the table from the XML of the shared strings: runs of rich text are joined, phonetic guides omitted. */
export class SharedStringsHandler implements XmlHandler {
  private buffered = '';
  private inText = false;
  private phoneticDepth = 0;

  constructor(
    private readonly strings: SharedStrings,
    private readonly maxCharacters: number,
  ) {}

  open(name: string): void {
    if (name === 'si') this.buffered = '';
    else if (name === 't') this.inText = this.phoneticDepth === 0;
    else if (name === 'rPh') this.phoneticDepth++;
  }

  close(name: string): void {
    if (name === 't') this.inText = false;
    else if (name === 'rPh') this.phoneticDepth--;
    else if (name === 'si') this.strings.add(decodeCellEscapes(this.buffered).slice(0, this.maxCharacters));
  }

  text(text: string, literal: boolean): void {
    if (this.inText && this.buffered.length <= this.maxCharacters)
      this.buffered += literal ? text : decodeXmlText(text);
  }
}

function doubled(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}
