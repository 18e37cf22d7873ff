import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { SenderDeletedError } from '../../accounts/domain/accounts.errors';
import { SendersService } from '../../accounts/domain/senders.service';
import { bareMimeType, type ClaimedFile, MEDIA_LIFETIME_MS, retryDelayMs, type StoredFile } from './inbound-file';
import { InboundMediaStore } from './inbound-media-store.port';
import { MediaStore } from './media-store.port';
import { PlatformMedia, PlatformMediaError } from './platform-media.port';
import { OversizeError, ReceivedBytes } from './received-bytes';

/** The result of an attempt; `lost`: the message has since been removed, or another process took over. */
export interface FetchOutcome {
  result: 'kept' | 'deleted' | 'failed' | 'gone' | 'lost';
  problem: string | null;
}

/** A fetch must be aborted after this time, so that it ends before its claim expires. */
export const FETCH_TIMEOUT_MS = 4 * 60_000;
const CLAIM_SECONDS = 5 * 60;
/** An unknown file is retried for a day: the webhook may arrive before the file, and a token may lack a permission. */
const GIVE_UP_UNKNOWN_AFTER_MS = 86_400_000;
/** Local problems, such as a full disk, are retried at least this often, so that work resumes soon after they are fixed. */
const MAX_LOCAL_RETRY_DELAY_MS = 60_000;

/** Fetches waiting inbound files and deletes removed ones. */
@Injectable()
export class MediaFetches {
  constructor(
    private readonly store: InboundMediaStore,
    private readonly files: MediaStore,
    private readonly platform: PlatformMedia,
    private readonly senders: SendersService,
    private readonly clock: Clock,
  ) {}

  /** Claims at most `limit` due files for this process; each must be passed to `work`. */
  claim(limit: number): Promise<ClaimedFile[]> {
    return this.store.claim(limit, CLAIM_SECONDS);
  }

  /** Fetches or deletes a file and records the result; rejects only if the result cannot be recorded: the file is then retried. */
  async work(file: ClaimedFile, signal: AbortSignal): Promise<FetchOutcome> {
    try {
      if (file.task === 'delete') return await this.delete(file);
      const stored = await this.fetch(file, signal);
      if (await this.store.markStored(file, stored)) return { result: 'kept', problem: null };
    } catch (error) {
      return this.failed(file, error);
    }
    return this.cleanUp(file);
  }

  private async delete(file: ClaimedFile): Promise<FetchOutcome> {
    await this.files.remove(file.messageId);
    await this.store.deleteRecord(file);
    return { result: 'deleted', problem: null };
  }

  private async fetch(
    { accountId, senderId, messageId, platformMediaId }: ClaimedFile,
    signal: AbortSignal,
  ): Promise<StoredFile> {
    const sender = await this.senders.recorded(accountId, senderId);
    const found = await this.platform.find(sender, platformMediaId);
    const received = new ReceivedBytes(this.platform.download(sender, found.url, signal), found);
    await this.files.put(messageId, received.verified());
    return { mimeType: bareMimeType(found.mimeType), size: received.size, sha256: received.sha256 };
  }

  private async failed(file: ClaimedFile, error: unknown): Promise<FetchOutcome> {
    const problem = error instanceof Error ? error.message : String(error);
    const isPlatformError = error instanceof PlatformMediaError;
    const age = this.clock.now().getTime() - file.receivedAt.getTime();
    const isFinal = isPlatformError && ((error.unknown && age >= GIVE_UP_UNKNOWN_AFTER_MS) || age >= MEDIA_LIFETIME_MS);
    if (isFinal || error instanceof OversizeError || error instanceof SenderDeletedError) {
      await this.store.giveUp(file, problem);
      return { result: 'gone', problem };
    }
    const pause = retryDelayMs(file.attempt);
    const ms = isPlatformError ? pause + this.clock.jitter(pause / 4) : Math.min(pause, MAX_LOCAL_RETRY_DELAY_MS);
    await this.store.postpone(file, ms / 1000, problem);
    return { result: 'failed', problem };
  }

  /** Cleans up after a lost claim: the bytes are stored, but the file was removed or another process stored the same bytes. */
  private async cleanUp(file: ClaimedFile): Promise<FetchOutcome> {
    if (await this.store.hasRecord(file.messageId)) await this.store.postpone(file, 0, null);
    else await this.files.remove(file.messageId);
    return { result: 'lost', problem: null };
  }
}
