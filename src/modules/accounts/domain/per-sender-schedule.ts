import type { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { isTaskDue, type Sender, type SenderDueTimes, type SenderTaskTime } from './sender';
import type { SendersService } from './senders.service';

/** A task that is repeated for every sender. */
export interface SenderTask {
  /** Name of its loop. */
  name: string;
  /** Where any process records that it ran. */
  recordedAs: SenderTaskTime;
  /** The current due times. */
  due(): SenderDueTimes;
  /**
   * Runs it. Returns false if another process is running it, so that it is due again at the next round. Rejects on failures of this
   * process, such as an unavailable database: it is retried with the round.
   */
  run(sender: Sender): Promise<boolean>;
  /** Reports a failed round, which is retried. */
  failed(error: Error): void;
}

/** Senders for which a process runs the task at a time: 10,000 senders and 200 ms for each are 200 s. */
const AT_ONCE = 10;
const POLL_INTERVAL_MS = 60_000;
const JITTER_MS = 30_000;
/** Minimum time between two rounds requested by `runSoon`; limits the requests to the platform. */
const MIN_REQUEST_INTERVAL_MS = 10_000;
/** How long a stop waits for a running task; interrupting one is harmless. */
const SHUTDOWN_WAIT_MS = 2_000;

/** Runs a task for every sender when it is due; new senders are included within 90 seconds. */
export class PerSenderSchedule {
  private readonly loop: Loop;
  /** When this process last tried each sender, so that a failing task is not repeated more often. */
  private readonly triedAt = new Map<string, Date>();
  private readonly requested = new Set<string>();
  private isStopped = false;

  constructor(
    private readonly senders: SendersService,
    private readonly clock: Clock,
    private readonly task: SenderTask,
  ) {
    this.loop = new Loop({
      name: task.name,
      clock,
      everyMs: POLL_INTERVAL_MS,
      jitterMs: JITTER_MS,
      wokenApartMs: MIN_REQUEST_INTERVAL_MS,
      round: (signal) => this.round(signal),
      // A round that ran on after a stop may find the database closed.
      failed: (error) => void (this.isStopped || task.failed(error)),
    });
  }

  /** Starts, and resolves at the end of the first round or after `maxWaitMs`. */
  async start(maxWaitMs: number): Promise<void> {
    this.loop.start();
    await this.clock.atMost(maxWaitMs, this.loop.firstRound);
  }

  /** Runs the task for these senders immediately, or at most 10 seconds after the previous request. */
  runSoon(senderIds: readonly string[]): void {
    for (const id of senderIds) this.requested.add(id);
    this.loop.wake();
  }

  /** Starts no more rounds; waits for the current one, at most two seconds. Its failures are then not reported. */
  stop(): Promise<void> {
    this.isStopped = true;
    return this.clock.atMost(SHUTDOWN_WAIT_MS, this.loop.stop());
  }

  private async round(stopped: AbortSignal): Promise<void> {
    const due = await this.senders.due(this.task.recordedAs, this.task.due());
    const requested = new Set(this.requested);
    this.requested.clear();
    const failures: unknown[] = [];
    const next = new Set([...due, ...requested]).values();
    const run = async (): Promise<void> => {
      for (const id of next) {
        if (stopped.aborted) return;
        await this.runFor(id, requested.has(id)).catch((error: unknown) => {
          failures.push(error);
          this.requested.add(id);
        });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, run));
    if (failures.length > 0) throw failures[0];
  }

  private async runFor(senderId: string, isRequested: boolean): Promise<void> {
    const sender = await this.senders.byId(senderId);
    // Since the list was read, another process may have run it, or the sender or its account may have been deleted.
    if (!sender || sender.isDeleted || sender.isAccountDeleted || (!isRequested && !this.isDue(sender))) return;
    if (await this.task.run(sender)) this.triedAt.set(senderId, this.clock.now());
    else if (isRequested) this.requested.add(senderId);
  }

  private isDue(sender: Sender): boolean {
    const due = this.task.due();
    const triedAt = this.triedAt.get(sender.id);
    // One that failed is not repeated at once, but neither only after the interval of an idle sender, which is a day.
    return isTaskDue(sender[this.task.recordedAs], sender, due) && (triedAt === undefined || triedAt <= due.quiet);
  }
}
