import { SEND_PROBLEMS } from '../../../kernel/message-problems';
import type { Sender } from '../../accounts/domain/sender';
import { personOf } from '../../messages/domain/message';
import type { Answer } from '../../sending/domain/answer';
import { traceSingle } from './claim-traces';
import { type ClaimedAttempt, LaneAttempts } from './lane-attempts';
import { DELETED_SENDER } from './job-stop';
import { LaneJobs } from './lane-jobs';
import type { LaneParts } from './lane-parts';
import type { Lease } from './lease';

const REFRESH_EVERY_MS = 250;
const SOON_MS = 50;
const IDLE_MS = 5000;
const MAX_UNRECORDED = 2000;

/** The answer to messages of a deleted sender; no request is made. */
const SENDER_DELETED: Answer = {
  ...{ kind: 'refused', scope: 'message', problem: 'sender_deleted', platformCode: null },
  message: SEND_PROBLEMS.sender_deleted.when,
};

/** Sends for one sender while this process holds the lease. */
export class Lane {
  private readonly jobs: LaneJobs;
  private readonly attempts: LaneAttempts;
  private sender: Sender | null = null;
  private singleDue = false;
  private nextRefreshAt = 0;
  private busyAt: number;
  private shownThrottle: string | null = null;
  private probedSingle = false;
  private idle = false;
  private readonly stopped = new AbortController();
  private woken = new AbortController();

  constructor(
    private readonly parts: LaneParts,
    private readonly lease: Lease,
  ) {
    this.jobs = new LaneJobs(parts, lease);
    this.attempts = new LaneAttempts(parts, lease);
    this.busyAt = parts.clock.monotonic();
  }

  /** Number of recipients of its jobs without an outcome, when last read. */
  get waitingRecipients(): number {
    return this.jobs.waiting;
  }

  /** Whether its lease was renewed in time. */
  get maySend(): boolean {
    return this.lease.maySend();
  }

  /** Sends until nothing has been runnable for 5 s, the lease is lost or `stop` is called; then waits for attempts in flight. */
  async run(): Promise<void> {
    while (!this.stopped.signal.aborted && !this.lease.lost && !this.idle) {
      try {
        await this.step();
      } catch (error) {
        // The next refresh finds claims of a failed statement in the database.
        this.parts.telemetry.failed(this.lease.senderId, error);
        this.nextRefreshAt = 0;
        await this.pause(REFRESH_EVERY_MS);
      }
    }
    await this.attempts.settled();
    await this.jobs.settled();
  }

  /** Refreshes immediately, as there may be new work. */
  wake(): void {
    this.nextRefreshAt = 0;
    this.woken.abort();
  }

  /** Stops claiming; `run` ends when every attempt has a recorded answer. */
  stop(): void {
    this.stopped.abort();
    this.woken.abort();
  }

  /** Stops after the database has lost transactions, without writing outdated state. */
  abandon(): void {
    this.jobs.outdated = true;
    this.stop();
  }

  private async step(): Promise<void> {
    const { clock } = this.parts;
    if (clock.monotonic() >= this.nextRefreshAt) await this.refresh();
    if (this.jobs.outdated) {
      await this.parts.afterRestore.lostTransactions();
      return this.abandon();
    }
    const sender = this.sender;
    const wait = this.waitMs(sender);
    if (!sender || wait > 0) return this.pause(wait);
    if (!this.singleDue && !this.jobs.hasNext()) return this.pause(this.nextRefreshAt - clock.monotonic());
    await this.take(sender);
  }

  /** Milliseconds for which nothing may be claimed; 0: attempts may be claimed. */
  private waitMs(sender: Sender | null): number {
    const { answers } = this.parts.recorder;
    if (!sender || sender.sendingPaused) return REFRESH_EVERY_MS;
    if (answers.failing || answers.pending > MAX_UNRECORDED) return SOON_MS;
    return Math.min(REFRESH_EVERY_MS, this.attempts.waitMs());
  }

  private async refresh(): Promise<void> {
    const { clock, senders, singleSends } = this.parts;
    this.nextRefreshAt = clock.monotonic() + REFRESH_EVERY_MS;
    this.sender = await senders.ofLane(this.lease.senderId);
    await this.jobs.refresh();
    if (this.jobs.outdated) return;
    this.singleDue = this.sender !== null && (await singleSends.isDue(this.sender));
    if (this.sender?.isDeleted) await this.endAll(this.sender);
    if (this.jobs.expiring) this.nextRefreshAt = clock.monotonic() + SOON_MS;
    if (this.attempts.count > 0 || this.singleDue || this.jobs.busy) this.busyAt = clock.monotonic();
    // After the reads: while the database is unavailable there may be work.
    this.idle = clock.monotonic() - this.busyAt > IDLE_MS;
    await this.showThrottle();
  }

  /** Ends the work of a deleted sender: its jobs pause, its due single sends fail. */
  private async endAll(sender: Sender): Promise<void> {
    await this.jobs.stopAll(DELETED_SENDER);
    const singles = this.singleDue ? await this.claimSingles(sender, MAX_UNRECORDED) : [];
    await Promise.all(singles.map(({ record }) => record(SENDER_DELETED, false)));
  }

  /** Fills one reservation: single sends first, then jobs in turn, with retries before first attempts. */
  private async take(sender: Sender): Promise<void> {
    const { clock } = this.parts;
    const singles = this.singlesFirst();
    const reserved = await this.attempts.reserve(sender, singles ? 'single' : 'job', this.stopped.signal);
    if (!reserved) return;
    this.busyAt = clock.monotonic();
    if (singles) await reserved.send(await this.claimSingles(sender, reserved.left));
    let refreshAt = clock.monotonic() + REFRESH_EVERY_MS;
    while (reserved.left > 0 && !this.stopped.signal.aborted) {
      // Thousands of consecutive recipients may have opted out; other work must not wait for all of them.
      if (clock.monotonic() >= refreshAt) {
        await this.refresh();
        if (this.jobs.outdated || this.singleDue || this.waitMs(this.sender) > 0) return;
        refreshAt = clock.monotonic() + REFRESH_EVERY_MS;
      }
      const job = this.jobs.next(this.attempts.probing);
      if (!job) return;
      const untriedFirst = this.attempts.probing && job.hasFirst;
      if (job.snapshot.retryDue && !untriedFirst) await reserved.send(await this.jobs.claimRetries(job, reserved.left));
      if (job.hasFirst && reserved.left > 0) {
        await reserved.send(await this.jobs.claimFirst(job, reserved.left, sender));
      }
    }
  }

  /** Whether single sends go first. Probes alternate, as a single send may fail because of its recipient. */
  private singlesFirst(): boolean {
    const first = this.singleDue && !(this.attempts.probing && this.probedSingle && this.jobs.hasNext());
    this.probedSingle = this.attempts.probing && first;
    return first;
  }

  private async claimSingles(sender: Sender, room: number): Promise<ClaimedAttempt[]> {
    const { clock, claims, singleSends } = this.parts;
    const claimed = await claims.singles(sender, this.lease.epoch, room);
    this.singleDue = claimed.length === room;
    return claimed.map((one): ClaimedAttempt => {
      const { send, message } = one;
      const { messageId, attempt } = send;
      return {
        recipient: messageId,
        to: personOf(message),
        content:
          message.type === 'Template'
            ? { ...message, messageId }
            : { kind: 'freeForm', type: message.type, content: message.content },
        callbackData: `${messageId}.${attempt}`,
        traceparent: traceSingle(one),
        record: async (answer, strike) => {
          const state = await singleSends.record({ messageId, attempt, answer, strike });
          if (state?.retryAt) this.nextRefreshAt = Math.min(this.nextRefreshAt, clock.monotonic() + SOON_MS);
        },
      };
    });
  }

  private async showThrottle(): Promise<void> {
    const { leases, telemetry } = this.parts;
    const throttle = this.attempts.throttle();
    const shown = throttle && `${throttle.reason} ${Math.round(throttle.until.getTime() / 1000)}`;
    if (shown === this.shownThrottle) return;
    await leases.showThrottle(this.lease.senderId, this.lease.epoch, throttle);
    this.shownThrottle = shown;
    telemetry.throttled(this.lease.senderId, throttle, this.jobs.running);
  }

  private async pause(ms: number): Promise<void> {
    if (this.woken.signal.aborted && !this.stopped.signal.aborted) this.woken = new AbortController();
    if (ms > 0) await this.parts.clock.sleep(ms, this.woken.signal);
  }
}
