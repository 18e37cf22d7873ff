import type { Sender } from '../../accounts/domain/sender';
import { personOf } from '../../messages/domain/message';
import { type Flight, LaneFlights } from './lane-flights';
import { LaneJobs } from './lane-jobs';
import type { LaneParts } from './lane-parts';
import type { Lease } from './lease';

const REFRESH_EVERY_MS = 250;
const SOON_MS = 50;
const IDLE_MS = 5000;
const MAX_UNRECORDED = 2000;

/** The stream of sends of one sender, as long as this process holds its lease. */
export class Lane {
  private readonly jobs: LaneJobs;
  private readonly flights: LaneFlights;
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
    this.flights = new LaneFlights(parts, lease);
    this.busyAt = parts.clock.monotonic();
  }

  /** Recipients of its jobs without an outcome, as they were last seen. */
  get waitingRecipients(): number {
    return this.jobs.waiting;
  }

  /** Its lease was renewed in time. */
  get maySend(): boolean {
    return this.lease.maySend();
  }

  /** Sends until nothing has been runnable for 5 s, the lease is lost or `stop` is called; then waits for its flights. */
  async run(): Promise<void> {
    while (!this.stopped.signal.aborted && !this.lease.lost && !this.idle) {
      try {
        await this.step();
      } catch (error) {
        // Nothing is lost: what a failed statement claimed is in the database, and the next refresh finds it.
        this.parts.telemetry.failed(this.lease.senderId, error);
        this.nextRefreshAt = 0;
        await this.pause(REFRESH_EVERY_MS);
      }
    }
    await this.flights.settled();
    await this.jobs.settled();
  }

  /** There may be new work: refreshes at once. */
  wake(): void {
    this.nextRefreshAt = 0;
    this.woken.abort();
  }

  /** Takes nothing any more; `run` ends when every flight has its answer. */
  stop(): void {
    this.stopped.abort();
    this.woken.abort();
  }

  /** The database has lost transactions: ends as by `stop`, and writes nothing of what it knew before. */
  abandon(): void {
    this.jobs.outdated = true;
    this.stop();
  }

  private async step(): Promise<void> {
    const { clock } = this.parts;
    if (clock.monotonic() >= this.nextRefreshAt) await this.refresh();
    if (this.jobs.outdated) {
      await this.parts.afterRestore.wentBack();
      return this.abandon();
    }
    const sender = this.sender;
    const wait = this.mustWait(sender);
    if (!sender || wait > 0) return this.pause(wait);
    const room = this.flights.free(sender);
    if (room === 0) return this.flights.moreRoom(sender);
    if (!this.singleDue && !this.jobs.hasNext()) return this.pause(this.nextRefreshAt - clock.monotonic());
    await this.take(sender, room);
  }

  /** Milliseconds for which nothing may be claimed; 0 when something may. */
  private mustWait(sender: Sender | null): number {
    const { recorder } = this.parts;
    if (!sender || sender.sendingPaused) return REFRESH_EVERY_MS;
    if (recorder.failing || recorder.pending > MAX_UNRECORDED) return SOON_MS;
    return Math.min(REFRESH_EVERY_MS, this.flights.mustWait());
  }

  private async refresh(): Promise<void> {
    const { clock, senders, singleSends } = this.parts;
    this.nextRefreshAt = clock.monotonic() + REFRESH_EVERY_MS;
    this.sender = await senders.byId(this.lease.senderId);
    await this.jobs.refresh();
    if (this.jobs.outdated) return;
    this.singleDue = this.sender !== null && (await singleSends.isDue(this.sender));
    if (this.jobs.expiring) this.nextRefreshAt = clock.monotonic() + SOON_MS;
    if (this.flights.count > 0 || this.singleDue || this.jobs.busy) this.busyAt = clock.monotonic();
    // Only what was read can be idle: while the database is unavailable there may be work.
    this.idle = clock.monotonic() - this.busyAt > IDLE_MS;
    await this.showThrottle();
  }

  /** Fills one reservation: single sends first, then the jobs in turn, of each its retries and then first attempts. */
  private async take(sender: Sender, room: number): Promise<void> {
    const { clock } = this.parts;
    const singles = this.singlesFirst();
    const reserved = await this.flights.reserve(sender, room, singles ? 'single' : 'job', this.stopped.signal);
    if (!reserved) return;
    this.busyAt = clock.monotonic();
    if (singles) await reserved.send(await this.claimSingles(sender, room));
    let refreshAt = clock.monotonic() + REFRESH_EVERY_MS;
    while (reserved.left > 0 && !this.stopped.signal.aborted) {
      // Thousands in a row may have opted out: nobody else waits for the end of them.
      if (clock.monotonic() >= refreshAt) {
        await this.refresh();
        if (this.jobs.outdated || this.singleDue || this.mustWait(this.sender) > 0) return;
        refreshAt = clock.monotonic() + REFRESH_EVERY_MS;
      }
      const job = this.jobs.next(this.flights.probing);
      if (!job) return;
      const untriedFirst = this.flights.probing && job.hasFirst;
      if (job.snapshot.retryDue && !untriedFirst) await reserved.send(await this.jobs.claimRetries(job, reserved.left));
      if (job.hasFirst && reserved.left > 0) {
        await reserved.send(await this.jobs.claimFirst(job, reserved.left, sender));
      }
    }
  }

  /** Single sends go first; but probes go round, since a single one may fail on account of its recipient. */
  private singlesFirst(): boolean {
    const first = this.singleDue && !(this.flights.probing && this.probedSingle && this.jobs.hasNext());
    this.probedSingle = this.flights.probing && first;
    return first;
  }

  private async claimSingles(sender: Sender, room: number): Promise<Flight[]> {
    const { clock, ownership, singleSends } = this.parts;
    const claimed = await ownership.claimSingles(sender, this.lease.epoch, room);
    this.singleDue = claimed.length === room;
    return claimed.map(({ send: { messageId, attempt }, message }): Flight => ({
      recipient: messageId,
      to: personOf(message),
      content:
        message.type === 'Template' ? message : { kind: 'freeForm', type: message.type, content: message.content },
      callbackData: `${messageId}.${attempt}`,
      record: async (answer, strike) => {
        const state = await singleSends.record({ messageId, attempt, answer, strike });
        if (state?.retryAt) this.nextRefreshAt = Math.min(this.nextRefreshAt, clock.monotonic() + SOON_MS);
      },
    }));
  }

  private async showThrottle(): Promise<void> {
    const { leases, telemetry } = this.parts;
    const throttle = this.flights.throttle();
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
