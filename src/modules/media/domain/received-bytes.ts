import { createHash } from 'node:crypto';
import { type PlatformFile, PlatformMediaError } from './platform-media.port';

/** The platform's maximum file size. */
export const MAX_MEDIA_BYTES = 100 * 1024 * 1024;

/** The file exceeds the platform's maximum file size. */
export class OversizeError extends PlatformMediaError {
  constructor() {
    super(`The file has more than ${MAX_MEDIA_BYTES} bytes.`, false);
  }
}

/** Counts and hashes downloaded bytes, and compares them with the platform's metadata. */
export class ReceivedBytes {
  size = 0;
  sha256 = '';

  constructor(
    private readonly chunks: AsyncIterable<Uint8Array>,
    private readonly announced: Pick<PlatformFile, 'size' | 'sha256'>,
  ) {}

  /** Passes the bytes on; throws PlatformMediaError, at the latest after the last one, if they differ from the metadata. */
  async *verified(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    const { size, sha256 } = this.announced;
    if ((size ?? 0) > MAX_MEDIA_BYTES) throw new OversizeError();
    for await (const chunk of this.chunks) {
      this.size += chunk.length;
      if (this.size > MAX_MEDIA_BYTES) throw new OversizeError();
      hash.update(chunk);
      yield chunk;
    }
    this.sha256 = hash.digest('hex');
    if (size !== null && size !== this.size)
      throw new PlatformMediaError('The length of the downloaded file differs from the announced one.', false);
    if (sha256 !== null && sha256 !== this.sha256)
      throw new PlatformMediaError('The hash of the downloaded file differs from the announced one.', false);
  }
}
