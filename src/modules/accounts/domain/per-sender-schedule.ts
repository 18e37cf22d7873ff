import type { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import type { Sender } from './sender';
import type { SendersService } from './senders.service';

/** A task that is repeated for every sender. */
export interface SenderTask {
  /** Names its loop. */
  name: string;
  everyMs: number;
  /** When any process last did it for the sender; null: never. */
  doneAt(sender: Sender): Date | null;
  /**
   * Does it. False: another process is doing it, so it is due again at the next round. Rejects if this process failed, as when the
   * database is unavailable: it is retried with the round.
   */
  run(sender: Sender): Promise<boolean>;
  /** Reports a failed round, which is retried. */
  failed(error: Error): void;
}

const LOOK_EVERY_MS = 60_000;
const JITTER_MS = 30_000;
/** The shortest time between two rounds that were requested by `runSoon`: it limits the requests to the platform. */
const REQUESTED_APART_MS = 10_000;
/** A stop waits this long for a task under way; interrupting one does no harm. */
const LAST_TASK_MS = 2_000;

/** Runs a task for every sender when it is due; a new sender is noticed within 90 seconds. */
export class PerSenderSchedule {
  private readonly loop: Loop;
  /** When this process last tried each sender, so that a failing task is not repeated more often than others. */
  private readonly triedAt = new Map<string, number>();
  private readonly requested = new Set<string>();

  constructor(
    private readonly senders: SendersService,
    private readonly clock: Clock,
    private readonly task: SenderTask,
  ) {
    this.loop = new Loop({
      name: task.name,
      clock,
      everyMs: LOOK_EVERY_MS,
      jitterMs: JITTER_MS,
      wokenApartMs: REQUESTED_APART_MS,
      round: (signal) => this.round(signal),
      failed: (error) => task.failed(error),
    });
  }

  /** Starts, and resolves at the end of the first round or after `patienceMs`. */
  async start(patienceMs: number): Promise<void> {
    this.loop.start();
    await this.clock.atMost(patienceMs, this.loop.firstRound);
  }

  /** Runs the task for these senders at once, or at most 10 seconds later when others were requested just before. */
  runSoon(senderIds: readonly string[]): void {
    for (const id of senderIds) this.requested.add(id);
    this.loop.wake();
  }

  stop(): Promise<void> {
    return this.clock.atMost(LAST_TASK_MS, this.loop.stop());
  }

  private async round(stopped: AbortSignal): Promise<void> {
    const senders = await this.senders.all();
    const requested = new Set(this.requested);
    this.requested.clear();
    const failures: unknown[] = [];
    for (const sender of senders) {
      if (stopped.aborted) return;
      if (!requested.has(sender.id) && !this.isDue(sender)) continue;
      const failed = (error: unknown): false => {
        failures.push(error);
        this.requested.add(sender.id);
        return false;
      };
      if (await this.task.run(sender).catch(failed)) this.triedAt.set(sender.id, this.clock.now().getTime());
    }
    if (failures.length > 0) throw failures[0];
  }

  private isDue(sender: Sender): boolean {
    const last = Math.max(this.task.doneAt(sender)?.getTime() ?? 0, this.triedAt.get(sender.id) ?? 0);
    return this.clock.now().getTime() - last >= this.task.everyMs;
  }
}
