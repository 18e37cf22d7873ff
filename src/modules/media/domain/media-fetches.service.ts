import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SendersService } from '../../accounts/domain/senders.service';
import { bareMimeType, type ClaimedFile, type KeptFile, MEDIA_LIFE_MS, pauseAfter } from './inbound-file';
import { InboundMediaStore } from './inbound-media-store.port';
import { MediaStore } from './media-store.port';
import { type PlatformFile, PlatformMedia, PlatformMediaError } from './platform-media.port';

/** What became of a try; `lost`: the message was removed meanwhile, or another process did the work. */
export interface FetchOutcome {
  result: 'kept' | 'deleted' | 'failed' | 'gone' | 'lost';
  problem: string | null;
}

/** A fetch that takes longer is to be ended, so that nobody else begins before it is over. */
export const FETCH_MS = 4 * 60_000;
const CLAIM_SECONDS = 5 * 60;
/** The platform sends no larger files. */
const MAX_BYTES = 100 * 1024 * 1024;
/** So long must the platform not know a file: a webhook may be faster than it, and a token without the right cannot see it. */
const UNKNOWN_FOR_MS = 86_400_000;
/** What is wrong on our side is mended by somebody, who does not want to wait for hours then. */
const LONGEST_OWN_PAUSE_MS = 60_000;

/** The work on inbound media: fetching what waits and deleting what was removed. */
@Injectable()
export class MediaFetches {
  constructor(
    private readonly store: InboundMediaStore,
    private readonly files: MediaStore,
    private readonly platform: PlatformMedia,
    private readonly senders: SendersService,
    private readonly clock: Clock,
  ) {}

  /** Claims work for this process, at most `limit` files; each is to be passed to `work`. */
  claim(limit: number): Promise<ClaimedFile[]> {
    return this.store.claim(limit, CLAIM_SECONDS);
  }

  /** Fetches or deletes a file and notes what became of it; rejects only where that cannot be noted: it is then due again later. */
  async work(file: ClaimedFile, signal: AbortSignal): Promise<FetchOutcome> {
    try {
      if (file.errand === 'delete') return await this.delete(file);
      const kept = await this.fetch(file, signal);
      if (await this.store.keep(file, kept)) return { result: 'kept', problem: null };
    } catch (error) {
      return this.failed(file, error);
    }
    return this.undo(file);
  }

  private async delete(file: ClaimedFile): Promise<FetchOutcome> {
    await this.files.remove(file.messageId);
    await this.store.forget(file);
    return { result: 'deleted', problem: null };
  }

  private async fetch({ accountId, messageId, platformMediaId }: ClaimedFile, signal: AbortSignal): Promise<KeptFile> {
    const sender = await this.senders.ofAccount(accountId);
    const found = await this.platform.find(sender, platformMediaId);
    const received = new ReceivedBytes(this.platform.download(sender, found.url, signal), found);
    await this.files.keep(messageId, received.checked());
    return { mimeType: bareMimeType(found.mimeType), size: received.size, sha256: received.sha256 };
  }

  private async failed(file: ClaimedFile, error: unknown): Promise<FetchOutcome> {
    const problem = error instanceof Error ? error.message : String(error);
    const byPlatform = error instanceof PlatformMediaError;
    const age = this.clock.now().getTime() - file.receivedAt.getTime();
    const hopeless = byPlatform && ((error.unknown && age >= UNKNOWN_FOR_MS) || age >= MEDIA_LIFE_MS);
    if (hopeless || error instanceof OversizeError) {
      await this.store.giveUp(file, problem);
      return { result: 'gone', problem };
    }
    const pause = pauseAfter(file.attempt);
    const ms = byPlatform ? pause + this.clock.jitter(pause / 4) : Math.min(pause, LONGEST_OWN_PAUSE_MS);
    await this.store.postpone(file, ms / 1000, problem);
    return { result: 'failed', problem };
  }

  /** The bytes are on the disk, and nobody wants them any more, or another process has put the same there. */
  private async undo(file: ClaimedFile): Promise<FetchOutcome> {
    if (await this.store.knows(file.messageId)) await this.store.postpone(file, 0, null);
    else await this.files.remove(file.messageId);
    return { result: 'lost', problem: null };
  }
}

/** More bytes than the platform says to send at most. */
class OversizeError extends Error {
  constructor() {
    super(`The file has more than ${MAX_BYTES} bytes.`);
  }
}

/** Bytes on their way to the disk: counted, and compared with what the platform said of them. */
class ReceivedBytes {
  size = 0;
  sha256 = '';

  constructor(
    private readonly chunks: AsyncIterable<Uint8Array>,
    private readonly expected: PlatformFile,
  ) {}

  /** The bytes as they come; throws at the latest after the last one where they are not those that were announced. */
  async *checked(): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    if ((this.expected.size ?? 0) > MAX_BYTES) throw new OversizeError();
    for await (const chunk of this.chunks) {
      this.size += chunk.length;
      if (this.size > MAX_BYTES) throw new OversizeError();
      hash.update(chunk);
      yield chunk;
    }
    this.sha256 = hash.digest('hex');
    const { size, sha256 } = this.expected;
    if (size !== null && size !== this.size) throw new PlatformMediaError('The file came with another length.', false);
    if (sha256 !== null && sha256 !== this.sha256)
      throw new PlatformMediaError('The file came with other bytes.', false);
  }
}
