import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { labelledCounter } from '../../../infra/metrics/labelled-counter';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import type { ClaimedFile } from '../domain/inbound-file';
import { InboundMedia } from '../domain/inbound-media';
import { FETCH_TIMEOUT_MS, MediaFetches } from '../domain/media-fetches';

/** The role of this process for inbound media. */
export abstract class MediaRole {
  /** Whether this process fetches and deletes files; otherwise workers do. */
  abstract readonly processesFiles: boolean;
}

const MAX_CONCURRENT = 4;
/** Maximum delay until work of another process or a due retry is found. */
const POLL_INTERVAL_MS = 2_000;
/** How long a stop waits for aborted fetches to be recorded. */
const SHUTDOWN_WAIT_MS = 2_000;
/** A failure of the disk or the platform affects many files, so it is logged at most once in this time. */
const LOG_INTERVAL_MS = 30_000;

/** Fetches and deletes inbound media in the background: work added by this process immediately, other work within 2 s. */
@Injectable()
export class InboundMediaWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('InboundMedia');
  private readonly counter: Counter<'result'>;
  private readonly inFlight = new Map<Promise<void>, AbortController>();
  private readonly loop: Loop;
  private stopped = false;
  private loggedAt = Number.NEGATIVE_INFINITY;
  private suppressed = 0;

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
      everyMs: POLL_INTERVAL_MS,
      round: () => this.startDue(),
      failed: (error) => this.log('Due inbound media could not be read from the database', error),
    });
    this.counter = labelledCounter(registry, {
      name: 'messaging_inbound_media_total',
      help: 'Attempts to fetch or delete the media files of inbound messages, by result.',
      label: 'result',
      values: ['kept', 'deleted', 'failed', 'gone', 'lost'],
    });
  }

  onApplicationBootstrap(): void {
    if (!this.role.processesFiles) return;
    this.media.onWork(() => this.loop.wake());
    this.loop.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.inFlight.forEach((controller) => controller.abort());
    const ended = this.loop.stop().then(() => Promise.all(this.inFlight.keys()));
    await this.clock.atMost(SHUTDOWN_WAIT_MS, ended);
  }

  /** Claims due files up to MAX_CONCURRENT and starts them. */
  private async startDue(): Promise<void> {
    const free = MAX_CONCURRENT - this.inFlight.size;
    const claimed = free > 0 ? await this.fetches.claim(free) : [];
    for (const file of claimed) {
      const controller = new AbortController();
      const work = this.work(file, controller).finally(() => {
        this.inFlight.delete(work);
        this.loop.wake();
      });
      this.inFlight.set(work, controller);
      if (this.stopped) controller.abort();
    }
    if (claimed.length > 0) this.loop.wake();
  }

  private async work(file: ClaimedFile, controller: AbortController): Promise<void> {
    const timer = setTimeout(() => controller.abort(), FETCH_TIMEOUT_MS);
    try {
      const { result, problem } = await this.fetches.work(file, controller.signal);
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
    this.suppressed++;
    const now = this.clock.monotonic();
    if (now - this.loggedAt < LOG_INTERVAL_MS || this.stopped) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(`${what}: ${reason} (${this.suppressed} such failures since the last log line)`);
    this.loggedAt = now;
    this.suppressed = 0;
  }
}
