import { isAscii, isUtf8 } from 'node:buffer';

/** A streaming UTF-8 decoder that detects every invalid byte; several times faster than TextDecoder. */
export class Utf8Decoder {
  private rest: Buffer = Buffer.alloc(0);

  /** Decodes the complete characters of a chunk; undefined if the bytes are not UTF-8. */
  write(chunk: Buffer): string | undefined {
    const bytes = this.rest.length === 0 ? chunk : Buffer.concat([this.rest, chunk]);
    const complete = bytes.length - incompleteBytes(bytes);
    this.rest = Buffer.from(bytes.subarray(complete));
    const whole = bytes.subarray(0, complete);
    if (isAscii(whole)) return whole.toString('latin1');
    return isUtf8(whole) ? whole.toString('utf8') : undefined;
  }

  /** Whether the last character is complete. */
  isComplete(): boolean {
    return this.rest.length === 0;
  }
}

/** Number of trailing bytes that belong to an incomplete character. */
export function incompleteBytes(bytes: Buffer): number {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return byte >= (back === 1 ? 0xc0 : back === 2 ? 0xe0 : 0xf0) ? back : 0;
  }
  return 0;
}
