import type { Clock } from '../../../kernel/clock';
import type { Sender } from './sender';
import type { SendersService } from './senders.service';

/** What is done for every sender from time to time. */
export interface SenderErrand {
  everyMs: number;
  /** When it was last done for the sender, by whatever process; null: not yet. */
  doneAt(sender: Sender): Date | null;
  /** Must not reject. */
  visit(sender: Sender): Promise<void>;
  /** The senders could not be read; the next try is in a minute. */
  failed(error: Error): void;
}

const LOOK_EVERY_MS = 60_000;
const JITTER_MS = 30_000;
/** However often somebody asks for a visit, the platform is not asked more often than that. */
const HURRIED_EVERY_MS = 10_000;
/** A stop waits this long for a visit that is under way; cutting it does no harm. */
const LAST_VISIT_MS = 2_000;

/** Goes round the senders in the background and does an errand for each whose time has come, new ones within minutes. */
export class SenderRounds {
  private readonly stopped = new AbortController();
  /** When this process last tried a sender; one for which the errand fails is not visited more often than any other. */
  private readonly triedAt = new Map<string, number>();
  /** Senders whose next visit shall not wait; `hurry` ends the pause before it, as a stop does. */
  private readonly hurried = new Set<string>();
  private hurry = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly senders: SendersService,
    private readonly clock: Clock,
    private readonly errand: SenderErrand,
  ) {}

  /** Begins, and resolves at the end of the first round, or after `patienceMs`. */
  async start(patienceMs: number): Promise<void> {
    const first = this.round();
    this.running = first.then(() => this.run());
    await Promise.race([first, this.clock.sleep(patienceMs, this.stopped.signal)]);
  }

  /** Has senders visited at once, or some seconds after the last visit that was asked for. */
  visitSoon(senderIds: readonly string[]): void {
    for (const id of senderIds) this.hurried.add(id);
    this.hurry.abort();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    this.hurry.abort();
    const patience = new AbortController();
    await Promise.race([this.running, this.clock.sleep(LAST_VISIT_MS, patience.signal)]);
    patience.abort();
  }

  private async run(): Promise<void> {
    for (;;) {
      await this.clock.sleep(LOOK_EVERY_MS + Math.random() * JITTER_MS, this.hurry.signal);
      if (this.stopped.signal.aborted) return;
      const isHurried = this.hurry.signal.aborted;
      if (isHurried) this.hurry = new AbortController();
      await this.round();
      if (isHurried) await this.clock.sleep(HURRIED_EVERY_MS, this.stopped.signal);
    }
  }

  private async round(): Promise<void> {
    try {
      const senders = await this.senders.all();
      const hurried = new Set(this.hurried);
      this.hurried.clear();
      for (const sender of senders) {
        if (this.stopped.signal.aborted) return;
        if (!hurried.has(sender.id) && !this.isDue(sender)) continue;
        this.triedAt.set(sender.id, this.clock.now().getTime());
        await this.errand.visit(sender);
      }
    } catch (error) {
      this.errand.failed(error as Error);
    }
  }

  private isDue(sender: Sender): boolean {
    const last = Math.max(this.errand.doneAt(sender)?.getTime() ?? 0, this.triedAt.get(sender.id) ?? 0);
    return this.clock.now().getTime() - last >= this.errand.everyMs;
  }
}
