import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Request } from 'express';
import type { StorageEngine } from 'multer';

type Stored = Partial<Express.Multer.File> & { sha256: string; size: number };

/** Streams uploads to disk and computes their SHA-256; an interrupted upload leaves no file. */
export class HashingStorage implements StorageEngine {
  constructor(private readonly newFile: () => Promise<string>) {}

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
    file.stream.on('data', (chunk: Buffer) => {
      hash.update(chunk);
      size += chunk.length;
    });
    try {
      await pipeline(file.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      return { path, sha256: hash.digest('hex'), size };
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }
}
