import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { Clock } from '../../../kernel/clock';
import type { ClaimedFile } from '../domain/inbound-file';
import { InboundMedia } from '../domain/inbound-media.service';
import { FETCH_MS, MediaFetches } from '../domain/media-fetches.service';
import { MediaStore } from '../domain/media-store.port';

/** What of the inbound media this process does. */
export abstract class MediaRole {
  /** It fetches and deletes files; else it leaves that to the workers. */
  abstract readonly worksOnFiles: boolean;
}

/** Files under way at once. */
const HANDS = 4;
/** What other processes add, and what is due again, is found after this time. */
const LOOK_EVERY_MS = 2_000;
const CLEAN_EVERY_MS = 60 * 60_000;
/** A stop waits this long for what it has cut off to be noted. */
const LAST_NOTES_MS = 2_000;
/** A fault of the disk or the platform concerns many files: it is told once in this time. */
const TELL_EVERY_MS = 30_000;

/** Works on inbound media as long as the process runs: what is added here at once, the rest within seconds. */
@Injectable()
export class InboundMediaWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('InboundMedia');
  private readonly counter: Counter<'result'>;
  /** Each with what ends it. */
  private readonly underWay = new Map<Promise<void>, AbortController>();
  private stopped = false;
  private wake = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private cleanedAt = Number.NEGATIVE_INFINITY;
  private toldAt = Number.NEGATIVE_INFINITY;
  private untold = 0;

  constructor(
    private readonly media: InboundMedia,
    private readonly fetches: MediaFetches,
    private readonly files: MediaStore,
    private readonly role: MediaRole,
    private readonly clock: Clock,
    registry: Registry,
  ) {
    this.counter = new Counter({
      name: 'messaging_inbound_media_total',
      help: 'Tries to fetch or delete the files of inbound messages, by what became of them.',
      labelNames: ['result'],
      registers: [registry],
    });
  }

  onApplicationBootstrap(): void {
    if (!this.role.worksOnFiles) return;
    this.media.onWork(() => this.wake.abort());
    this.running = this.run();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    this.wake.abort();
    this.underWay.forEach((end) => end.abort());
    const patience = new AbortController();
    const ended = this.running.then(() => Promise.all(this.underWay.keys()));
    await Promise.race([ended, this.clock.sleep(LAST_NOTES_MS, patience.signal)]);
    patience.abort();
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      // Before the look, so that what is added during it is looked for again.
      this.wake = new AbortController();
      const found = await this.begin().catch((error: unknown) => this.tell('could not be looked for', error));
      await this.clean();
      if (!found) await this.clock.sleep(LOOK_EVERY_MS, this.wake.signal);
    }
  }

  /** Begins with what is due, as far as there are hands; false when there was nothing, or no hand. */
  private async begin(): Promise<boolean> {
    const free = HANDS - this.underWay.size;
    const claimed = free > 0 ? await this.fetches.claim(free) : [];
    for (const file of claimed) {
      const end = new AbortController();
      const work = this.work(file, end).finally(() => {
        this.underWay.delete(work);
        this.wake.abort();
      });
      this.underWay.set(work, end);
      if (this.stopped) end.abort();
    }
    return claimed.length > 0;
  }

  private async work(file: ClaimedFile, end: AbortController): Promise<void> {
    const timer = setTimeout(() => end.abort(), FETCH_MS);
    try {
      const { result, problem } = await this.fetches.work(file, end.signal);
      this.counter.inc({ result });
      if (result === 'gone') {
        this.logger.warn(`The media of message ${file.messageId} cannot be had from the platform: ${problem}`);
      }
      if (result === 'failed') this.tell('could not be fetched or deleted, and will be tried again', problem);
    } catch (error) {
      this.tell('could not be recorded, and will be tried again', error);
    } finally {
      clearTimeout(timer);
    }
  }

  private async clean(): Promise<void> {
    const now = this.clock.monotonic();
    if (now - this.cleanedAt < CLEAN_EVERY_MS) return;
    this.cleanedAt = now;
    await this.files
      .clean()
      .catch((error: unknown) => this.tell('that was left unfinished could not be deleted', error));
  }

  private tell(what: string, error: unknown): false {
    this.untold++;
    const now = this.clock.monotonic();
    if (now - this.toldAt < TELL_EVERY_MS || this.stopped) return false;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(`Inbound media ${what}: ${reason} (${this.untold} such faults since it was told last)`);
    this.toldAt = now;
    this.untold = 0;
    return false;
  }
}
