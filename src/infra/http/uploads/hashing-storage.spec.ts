import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Request } from 'express';
import { HashingStorage } from './hashing-storage';
import { UploadsBusyError, ActiveUploads } from './active-uploads';

describe('HashingStorage', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'hashing-storage-'));
  });

  afterEach(() => rm(directory, { recursive: true }));

  /** Starts to store an upload, limited to 10 bytes. */
  function begin(signal = new AbortController().signal) {
    const stream = new PassThrough();
    const upload = new ActiveUploads({ perAccount: 1, bytesPerAccount: 10, bytes: 10 }).enter('A', 1);
    const storage = new HashingStorage(() => Promise.resolve(join(directory, 'file')), upload, signal);
    const stored = new Promise((resolve, reject) => {
      storage._handleFile({} as Request, { stream } as unknown as Express.Multer.File, (error, file) => {
        if (file) resolve(file);
        else reject(new Error('not stored', { cause: error }));
      });
    });
    return { stream, stored };
  }

  it('stores a file with its size and SHA-256', async () => {
    const { stream, stored } = begin();
    stream.end('0123456789');
    expect(await stored).toEqual({
      path: join(directory, 'file'),
      size: 10,
      sha256: '84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882',
    });
    expect(readdirSync(directory)).toEqual(['file']);
  });

  it('leaves no file when it exceeds the limits', async () => {
    const { stream, stored } = begin();
    stream.write('01234567890');
    await expect(stored).rejects.toMatchObject({ cause: expect.any(UploadsBusyError) as Error });
    expect(readdirSync(directory)).toEqual([]);
  });

  it('leaves no file when it is aborted', async () => {
    const abort = new AbortController();
    const { stream, stored } = begin(abort.signal);
    stream.write('0');
    while (readdirSync(directory).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort();
    await expect(stored).rejects.toMatchObject({ cause: { name: 'AbortError' } });
    expect(readdirSync(directory)).toEqual([]);
  });
});
