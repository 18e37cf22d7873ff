import { buffer } from 'node:stream/consumers';
import { SenderDeletedError } from '../../accounts/domain/accounts.errors';
import type { SendersService } from '../../accounts/domain/senders.service';
import { SAMPLE_FILES } from '../fixtures/sample-files';
import { MediaNotFoundError, MediaUnavailableError } from './media.errors';
import { type PlatformFile, PlatformMedia, PlatformMediaError } from './platform-media.port';
import { SentMedia } from './sent-media';

const FILE = { accountId: 'a', senderId: null, mediaId: '77' };
const { signal } = new AbortController();

/** A platform with one file, which it announces with `size`. */
class OneFile extends PlatformMedia {
  error: PlatformMediaError | null = null;

  constructor(
    readonly chunks: readonly Uint8Array[],
    readonly size: number | null,
  ) {
    super();
  }

  upload = () => Promise.resolve('');
  uploadExample = () => Promise.resolve('');

  find(): Promise<PlatformFile> {
    if (this.error) return Promise.reject(this.error);
    return Promise.resolve({ url: 'https://files.test', mimeType: 'image/jpeg', size: this.size, sha256: null });
  }

  async *download(): AsyncGenerator<Uint8Array> {
    await Promise.resolve();
    yield* this.chunks;
  }
}

const mediaOn = (platform: PlatformMedia, recorded = () => Promise.resolve({})) =>
  new SentMedia({ recorded } as unknown as SendersService, platform);

describe('The file of a sent message', () => {
  const picture = SAMPLE_FILES.jpeg;
  const bytes = [...picture].map((byte) => Uint8Array.of(byte));

  it('has the type that its first bytes confirm, however they arrive', async () => {
    const { mimeType, size, content } = await mediaOn(new OneFile(bytes, picture.length)).open(FILE, signal);
    expect([mimeType, size]).toEqual(['image/jpeg', null]);
    expect((await buffer(content)).equals(picture)).toBe(true);
  });

  it.each([
    ['longer', -1],
    ['shorter', 1],
  ])('fails if it is %s than the platform announced', async (_, surplus) => {
    const large = Buffer.concat([picture, Buffer.alloc(10_000)]);
    const platform = new OneFile([large, picture], large.length + picture.length + surplus);
    const { content } = await mediaOn(platform).open(FILE, signal);
    await expect(buffer(content)).rejects.toThrow('differs from the announced one');
  });

  it('is unavailable if it is empty', async () => {
    await expect(mediaOn(new OneFile([], 0)).open(FILE, signal)).rejects.toThrow(MediaUnavailableError);
  });

  it('is not found if the platform does not have it or the sender was deleted, else unavailable', async () => {
    const platform = new OneFile([picture], null);
    platform.error = new PlatformMediaError('Unknown.', true);
    await expect(mediaOn(platform).open(FILE, signal)).rejects.toThrow(MediaNotFoundError);
    platform.error = new PlatformMediaError('Timeout.', false);
    await expect(mediaOn(platform).open(FILE, signal)).rejects.toThrow(MediaUnavailableError);
    const deleted = () => Promise.reject(new SenderDeletedError());
    await expect(mediaOn(platform, deleted).open(FILE, signal)).rejects.toThrow(MediaNotFoundError);
  });
});
