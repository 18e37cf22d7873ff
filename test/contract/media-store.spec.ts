import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { uuidV7 } from '../../src/kernel/uuid';
import { DiskMediaStore } from '../../src/modules/media/adapters/disk-media-store';
import { S3MediaStore } from '../../src/modules/media/adapters/s3-media-store';
import type { MediaStore } from '../../src/modules/media/domain/media-store.port';
import { BucketServer } from '../support/bucket-server';
import { MediaInMemory } from '../fakes/media-in-memory';

async function* chunksOf(...chunks: (Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await turn();
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}

let folder: string;
let server: BucketServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mta-media-store-'));
  server = await BucketServer.start();
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe.each<[string, () => MediaStore]>([
  ['on disk', () => new DiskMediaStore(join(folder, 'media'), 1)],
  ['in memory', () => new MediaInMemory()],
  ['in a bucket', () => new S3MediaStore(server.bucket)],
])('A media store %s', (_, create) => {
  let store: MediaStore;
  let messageId: string;

  beforeEach(() => {
    store = create();
    messageId = uuidV7();
  });

  const stored = async (id = messageId): Promise<Buffer | null> => {
    const content = await store.open(id);
    if (!content) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return Buffer.concat(chunks);
  };

  it('returns every byte of the file of each message', async () => {
    const large = randomBytes(300_000);
    const other = uuidV7();
    await store.put(messageId, chunksOf(large.subarray(0, 70_000), large.subarray(70_000)));
    await store.put(other, chunksOf(Buffer.from('other')));
    expect((await stored())?.equals(large)).toBe(true);
    expect((await stored(other))?.toString()).toBe('other');
    expect((await stored())?.equals(large)).toBe(true);
  });

  it('stores an empty file', async () => {
    await store.put(messageId, chunksOf());
    expect(await stored()).toEqual(Buffer.alloc(0));
  });

  it('has no file of other messages', async () => {
    await store.put(uuidV7(), chunksOf(Buffer.from('other')));
    expect(await stored()).toBeNull();
  });

  it('replaces the file of a message', async () => {
    await store.put(messageId, chunksOf(Buffer.from('a long first file')));
    await store.put(messageId, chunksOf(Buffer.from('second')));
    expect((await stored())?.toString()).toBe('second');
  });

  it('changes nothing if the content fails midway', async () => {
    const failing = () => chunksOf(Buffer.from('half'), new Error('connection lost'));
    await expect(store.put(messageId, failing())).rejects.toThrow('connection lost');
    expect(await stored()).toBeNull();

    await store.put(messageId, chunksOf(Buffer.from('whole')));
    await expect(store.put(messageId, failing())).rejects.toThrow('connection lost');
    expect((await stored())?.toString()).toBe('whole');
  });

  it('keeps one complete file if two are stored concurrently', async () => {
    const [first, second] = [randomBytes(100_000), randomBytes(50_000)];
    await Promise.all([
      store.put(messageId, chunksOf(first.subarray(0, 60_000), first.subarray(60_000))),
      store.put(messageId, chunksOf(second)),
    ]);
    const content = await stored();
    expect(content?.equals(first) || content?.equals(second)).toBe(true);
  });

  it('removes the file of one message, if there is one', async () => {
    const other = uuidV7();
    await store.put(messageId, chunksOf(Buffer.from('x')));
    await store.put(other, chunksOf(Buffer.from('other')));
    await store.remove(messageId);
    await store.remove(messageId);
    expect(await stored()).toBeNull();
    expect((await stored(other))?.toString()).toBe('other');
  });
});

describe('A folder of media', () => {
  it('reports a problem once its file system has less space than the largest file needs', async () => {
    const problemWith = (largestFile: number) => new DiskMediaStore(join(folder, 'media'), largestFile).problem();

    expect(await problemWith(1)).toBeNull();
    expect(await problemWith(2 ** 60)).toMatch(
      /^the media folder has \d+ MB of free space, too little for a file of \d+ MB$/,
    );
  });
});

describe('A bucket of media', () => {
  const problemOf = (changes: object) => new S3MediaStore({ ...server.bucket, ...changes }).problem();

  it('reports a bucket that is missing or cannot be reached', async () => {
    expect(await problemOf({})).toBeNull();
    expect(await problemOf({ name: 'other' })).toBe('the media bucket cannot be used (404)');
    expect(await problemOf({ endpoint: 'http://127.0.0.1:9' })).toMatch(/^the media bucket cannot be used \(/);
  });

  it('rejects what it cannot store, and leaves no file on disk', async () => {
    const before = await unfinished();
    const missing = new S3MediaStore({ ...server.bucket, name: 'other' });
    await expect(missing.put(uuidV7(), chunksOf(Buffer.from('x')))).rejects.toMatchObject({ name: 'NoSuchBucket' });
    await expect(missing.open(uuidV7())).rejects.toMatchObject({ name: 'NoSuchBucket' });
    expect(await unfinished()).toEqual(before);
  });

  it('fails if the server stops responding', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const store = new S3MediaStore({ ...server.bucket, endpoint }, { connectionTimeout: 50, socketTimeout: 50 });
    await expect(store.put(uuidV7(), chunksOf(Buffer.from('x')))).rejects.toThrow();
    await expect(store.open(uuidV7())).rejects.toThrow();
    silent.closeAllConnections();
    silent.close();
  });

  it('deletes what a process that died left of an upload', async () => {
    const [old, current] = [`messaging-media-${uuidV7()}`, `messaging-media-${uuidV7()}`];
    for (const name of [old, current]) await writeFile(join(tmpdir(), name), 'half');
    const twoHoursAgo = new Date(Date.now() - 7_200_000);
    await utimes(join(tmpdir(), old), twoHoursAgo, twoHoursAgo);
    await new S3MediaStore(server.bucket).removeUnfinished();
    expect(await unfinished()).toContain(current);
    expect(await unfinished()).not.toContain(old);
    await rm(join(tmpdir(), current));
  });

  const unfinished = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('messaging-media-'));
});
