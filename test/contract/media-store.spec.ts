import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { uuidV7 } from '../../src/kernel/uuid';
import { DiskMediaStore } from '../../src/modules/media/adapters/disk-media-store';
import type { MediaStore } from '../../src/modules/media/domain/media-store.port';
import { MediaInMemory } from '../fakes/media-in-memory';

async function* chunksOf(...chunks: (Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) {
    await turn();
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mta-media-store-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe.each<[string, () => MediaStore]>([
  ['on disk', () => new DiskMediaStore(join(folder, 'media'), 1)],
  ['in memory', () => new MediaInMemory()],
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
