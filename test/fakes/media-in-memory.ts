import { Readable } from 'node:stream';
import { MediaStore } from '../../src/modules/media/domain/media-store.port';

/** Media files in memory. */
export class MediaInMemory extends MediaStore {
  private readonly files = new Map<string, Uint8Array[]>();

  async put(messageId: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    this.files.set(messageId, chunks);
  }

  open(messageId: string): Promise<AsyncIterable<Uint8Array> | null> {
    const chunks = this.files.get(messageId);
    return Promise.resolve(chunks ? Readable.from(chunks) : null);
  }

  remove(messageId: string): Promise<void> {
    this.files.delete(messageId);
    return Promise.resolve();
  }

  problem(): Promise<null> {
    return Promise.resolve(null);
  }

  removeUnfinished(): Promise<void> {
    return Promise.resolve();
  }
}
