import { END_BYTES, isPlayable } from './file-signature';
import { declaredType, MEDIA_TYPES } from './media-type';

/** The content and properties of a message's file. */
export interface OpenedFile {
  /** A supported type, for image, video and audio only if the bytes match it; null: none. */
  mimeType: string | null;
  /** In bytes; null if unknown. */
  size: number | null;
  isEmpty: boolean;
  content: AsyncIterable<Uint8Array>;
}

/** The content as a file whose declared type was checked against its first bytes. */
export async function openedFile(
  content: AsyncIterable<Uint8Array>,
  { mimeType, size }: { mimeType: string | null; size: number | null },
): Promise<OpenedFile> {
  const { head, whole } = await peekHead(content);
  return { mimeType: safeType(mimeType, head), isEmpty: head.length === 0, size, content: whole };
}

/** Reads the first bytes of a content; `whole` still contains them. */
async function peekHead(
  content: AsyncIterable<Uint8Array>,
): Promise<{ head: Buffer; whole: AsyncIterable<Uint8Array> }> {
  const iterator = content[Symbol.asyncIterator]();
  const chunks: Uint8Array[] = [];
  for (let size = 0; size < END_BYTES.head; size += chunks.at(-1)!.length) {
    const next = await iterator.next();
    if (next.done) break;
    chunks.push(next.value);
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* chunks;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return { head: Buffer.concat(chunks).subarray(0, END_BYTES.head), whole: whole() };
}

/** The declared type comes from the person's client and is not trusted: it is checked against the bytes. */
function safeType(declared: string | null, head: Buffer): string | null {
  const type = declaredType(declared);
  const supported = MEDIA_TYPES.get(type ?? '');
  if (type === null || !supported) return null;
  return supported.kind === 'document' || isPlayable(type, head) ? type : null;
}
