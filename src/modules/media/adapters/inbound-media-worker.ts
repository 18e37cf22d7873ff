import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import type { ClaimedFile } from '../domain/inbound-file';
import { InboundMedia } from '../domain/inbound-media.service';
import { FETCH_MS, MediaFetches } from '../domain/media-fetches.service';

/** Which part of the work on inbound media this process does. */
export abstract class MediaRole {
  /** Whether it fetches and deletes files; otherwise workers do. */
  abstract readonly worksOnFiles: boolean;
}

const MAX_CONCURRENT = 4;
/** Work that another process added, and retries that have become due, are found after this time at the latest. */
const LOOK_EVERY_MS = 2_000;
/** A stop waits this long until the fetches that it aborted are recorded. */
const LAST_RECORDS_MS = 2_000;
/** A failure of the disk or the platform affects many files: it is logged once in this time. */
const LOG_EVERY_MS = 30_000;

/** Fetches and deletes inbound media in the background: work of this process at once, the rest within 2 s. */
@Injectable()
export class InboundMediaWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('InboundMedia');
  private readonly counter: Counter<'result'>;
  /** Files under way, each with what aborts it. */
  private readonly underWay = new Map<Promise<void>, AbortController>();
  private readonly loop: Loop;
  private stopped = false;
  private loggedAt = Number.NEGATIVE_INFINITY;
  private notLogged = 0;

  constructor(
    private readonly media: InboundMedia,
    private readonly fetches: MediaFetches,
    private readonly role: MediaRole,
    private readonly clock: Clock,
    registry: Registry,
  ) {
    this.loop = new Loop({
      name: 'inbound_media',
      clock,
      everyMs: LOOK_EVERY_MS,
      round: () => this.begin(),
      failed: (error) => this.log('The database could not be searched for inbound media', error),
    });
    this.counter = labelledCounter(registry, {
      name: 'messaging_inbound_media_total',
      help: 'Attempts to fetch or delete the media files of inbound messages, by result.',
      label: 'result',
      values: ['kept', 'deleted', 'failed', 'gone', 'lost'],
    });
  }

  onApplicationBootstrap(): void {
    if (!this.role.worksOnFiles) return;
    this.media.onWork(() => this.loop.wake());
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.underWay.forEach((end) => end.abort());
    const ended = this.loop.stop().then(() => Promise.all(this.underWay.keys()));
    await this.clock.atMost(LAST_RECORDS_MS, ended);
  }

  /** Begins as many of the due files as may be under way at once. */
  private async begin(): Promise<void> {
    const free = MAX_CONCURRENT - this.underWay.size;
    const claimed = free > 0 ? await this.fetches.claim(free) : [];
    for (const file of claimed) {
      const end = new AbortController();
      const work = this.work(file, end).finally(() => {
        this.underWay.delete(work);
        this.loop.wake();
      });
      this.underWay.set(work, end);
      if (this.stopped) end.abort();
    }
    if (claimed.length > 0) this.loop.wake();
  }

  private async work(file: ClaimedFile, end: AbortController): Promise<void> {
    const timer = setTimeout(() => end.abort(), FETCH_MS);
    try {
      const { result, problem } = await this.fetches.work(file, end.signal);
      this.counter.inc({ result });
      if (result === 'gone') {
        this.logger.warn(`The media of message ${file.messageId} cannot be fetched from the platform: ${problem}`);
      }
      if (result === 'failed') this.log('Inbound media could not be fetched or deleted and will be retried', problem);
    } catch (error) {
      this.log('The state of inbound media could not be recorded; the work will be retried', error);
    } finally {
      clearTimeout(timer);
    }
  }

  private log(what: string, error: unknown): void {
    this.notLogged++;
    const now = this.clock.monotonic();
    if (now - this.loggedAt < LOG_EVERY_MS || this.stopped) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(`${what}: ${reason} (${this.notLogged} such failures since the last line)`);
    this.loggedAt = now;
    this.notLogged = 0;
  }
}
