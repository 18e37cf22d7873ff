import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { END_BYTES, type FileEnds } from '../domain/file-signature';

/** Reads the first and last bytes of a file, from which its type is detected. */
export async function readEnds(path: string, size: number): Promise<FileEnds> {
  const file = await open(path, 'r');
  try {
    return {
      head: await part(file, 0, Math.min(size, END_BYTES.head)),
      tail: await part(file, Math.max(0, size - END_BYTES.tail), Math.min(size, END_BYTES.tail)),
    };
  } finally {
    await file.close();
  }
}

/** The bytes of a file, which is opened when they are first read. */
export async function* contentOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

/** Deletes a file that was last written more than `ageMs` ago; one that is gone is no error. */
export async function removeOlderThan(path: string, ageMs: number): Promise<void> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
  if (Date.now() - mtimeMs > ageMs) await rm(path, { force: true });
}

async function part(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  return buffer.subarray(0, bytesRead);
}
