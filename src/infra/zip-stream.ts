import { Readable } from 'node:stream';
import { ZipFile } from 'yazl';

/** A part of a file of an archive. */
export interface ZipPiece {
  file: string;
  data: string | Uint8Array;
}

/** Higher levels shrink the file little and take twice as long. */
const COMPRESSION_LEVEL = 3;

/**
 * Streams a zip archive: consecutive pieces of the same file are one entry. Reads `pieces` no faster than it is read, one at a time.
 * Destroying it returns `pieces`; an error of `pieces` destroys it.
 */
export function zipStream(pieces: AsyncGenerator<ZipPiece>): Readable {
  const zip = new ZipFile();
  const archive = zip.outputStream as Readable;
  let entry: Readable | null = null;

  async function* dataOf(first: ZipPiece): AsyncGenerator<string | Uint8Array> {
    let piece = first;
    for (;;) {
      yield piece.data;
      const next = await pieces.next();
      if (next.done) return void zip.end();
      if (next.value.file !== first.file) return void addEntry(next.value);
      piece = next.value;
    }
  }

  const addEntry = (first: ZipPiece): void => {
    entry = Readable.from(dataOf(first), { highWaterMark: 1 });
    entry.once('error', (error) => archive.destroy(error));
    zip.addReadStream(entry, first.file, { compressionLevel: COMPRESSION_LEVEL });
  };

  archive.once('close', () => {
    entry?.destroy();
    void pieces.return(undefined);
  });
  pieces.next().then(
    (first) => (first.done ? zip.end() : addEntry(first.value)),
    (error: unknown) => archive.destroy(error as Error),
  );
  return archive;
}
