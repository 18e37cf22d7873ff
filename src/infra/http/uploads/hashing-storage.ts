import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import type { StorageEngine } from 'multer';
import type { AdmittedUpload } from './active-uploads';

type Stored = Partial<Express.Multer.File> & { sha256: string; size: number };

/**
 * Streams an upload to disk, counts its bytes and computes their SHA-256. An aborted upload leaves no file; `signal` aborts it.
 */
export class HashingStorage implements StorageEngine {
  constructor(
    private readonly newFile: () => Promise<string>,
    private readonly upload: Pick<AdmittedUpload, 'add'>,
    private readonly signal: AbortSignal,
  ) {}

  _handleFile(_: Request, file: Express.Multer.File, callback: (error?: unknown, stored?: Stored) => void): void {
    this.store(file).then((stored) => callback(null, stored), callback);
  }

  _removeFile(_: Request, file: Express.Multer.File, callback: (error: Error | null) => void): void {
    rm(file.path, { force: true }).then(() => callback(null), callback);
  }

  private async store(file: Express.Multer.File): Promise<Stored> {
    const path = await this.newFile();
    const hash = createHash('sha256');
    let size = 0;
    // A generator would destroy the parser's stream with a different error.
    const measured = new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        try {
          this.upload.add(chunk.length);
        } catch (error) {
          return done(error as Error);
        }
        hash.update(chunk);
        size += chunk.length;
        done(null, chunk);
      },
    });
    const target = createWriteStream(path, { flags: 'wx', mode: 0o600 });
    try {
      await pipeline(file.stream, measured, target, { signal: this.signal });
      return { path, sha256: hash.digest('hex'), size };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }
}
