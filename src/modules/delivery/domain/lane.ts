import type { Sender } from '../../accounts/domain/sender';
import type { LaneThrottle } from './lane-leases.port';
import { personOf } from '../../messages/domain/message';
import type { Answer } from '../../sending/domain/answer';
import type { Reservation, SendPriority } from '../../sending/domain/outgoing-message';
import { FlightRoom } from './flight-room';
import { type Flight, LaneFlights } from './lane-flights';
import { LaneHealth } from './lane-health';
import { LaneJobs, type TrackedJob } from './lane-jobs';
import type { LaneParts } from './lane-parts';
import type { Lease } from './lease';
import type { ClaimedRecipient } from './recipient-store.port';

const REFRESH_EVERY_MS = 250;
const IDLE_MS = 5000;
/** So long it may be relied upon that sending is allowed: the emergency stop is known everywhere within a second and a half. */
const SURE_MS = 500;
const TAKE_AHEAD_MS = 50;
const MAX_UNRECORDED = 2000;
const ACCOUNT_THROTTLE_MS = 60_000;

/** The stream of sends of one sender, as long as this process holds its lease. */
export class Lane {
  private readonly jobs: LaneJobs;
  private readonly flights: LaneFlights;
  private readonly health = new LaneHealth();
  private sender: Sender | null = null;
  private singleDue = false;
  private nextRefreshAt = 0;
  private busyAt: number;
  private accountWaitUntil = 0;
  private shownThrottle: string | null = null;
  private probedSingle = false;
  private idle = false;
  /** Between messages, at the pace of the last reservation: it may be cut. */
  private intervalMs = 0;
  private readonly stopped = new AbortController();
  private woken = new AbortController();

  constructor(
    private readonly parts: LaneParts,
    private readonly lease: Lease,
  ) {
    this.jobs = new LaneJobs(parts, lease);
    this.flights = new LaneFlights(
      parts.clock,
      parts.sendGateway,
      parts.templates,
      lease,
      new FlightRoom(parts.limits.connections),
    );
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

  private async step(): Promise<void> {
    const { clock } = this.parts;
    if (clock.monotonic() >= this.nextRefreshAt) await this.refresh();
    const sender = this.sender;
    const wait = this.mustWait(sender);
    if (!sender || wait > 0) return this.pause(wait);
    const room = this.room(sender);
    if (room === 0) return this.flights.nextAnswer(TAKE_AHEAD_MS);
    if (!this.singleDue && !this.jobs.hasNext()) return this.pause(this.nextRefreshAt - clock.monotonic());
    await this.take(sender, room);
  }

  /** Milliseconds for which nothing may be claimed; 0 when something may. */
  private mustWait(sender: Sender | null): number {
    const { clock, recorder } = this.parts;
    const now = clock.monotonic();
    if (!sender || sender.sendingPaused) return REFRESH_EVERY_MS;
    if (!this.lease.maySend() || recorder.failing || recorder.pending > MAX_UNRECORDED || this.flights.stuck) {
      return TAKE_AHEAD_MS;
    }
    if (now < this.accountWaitUntil) return Math.min(REFRESH_EVERY_MS, this.accountWaitUntil - now);
    if (this.health.allowance(now) === 'nothing') {
      return Math.min(REFRESH_EVERY_MS, Math.max(TAKE_AHEAD_MS, this.health.untilProbe(now)));
    }
    return 0;
  }

  private room(sender: Sender): number {
    if (this.health.probing) return 1;
    const batch = Math.max(1, Math.ceil(TAKE_AHEAD_MS / Math.max(this.intervalMs, 1000 / sender.messagesPerSecond)));
    const most = this.flights.most(sender.messagesPerSecond);
    const free = most - this.flights.count;
    // A claim of a few costs as much as one of many: rather wait for some more answers.
    return free >= Math.min(batch, Math.ceil(most / 4)) ? Math.min(free, batch) : 0;
  }

  private async refresh(): Promise<void> {
    const { clock, senders, singleSends } = this.parts;
    this.nextRefreshAt = clock.monotonic() + REFRESH_EVERY_MS;
    this.sender = await senders.byId(this.lease.senderId);
    await this.jobs.refresh();
    this.singleDue = this.sender !== null && (await singleSends.isDue(this.sender));
    if (this.jobs.expiring) this.nextRefreshAt = clock.monotonic() + TAKE_AHEAD_MS;
    if (this.flights.count > 0 || this.singleDue || this.jobs.busy) this.busyAt = clock.monotonic();
    // Only what was read can be idle: while the database is unavailable there may be work.
    this.idle = clock.monotonic() - this.busyAt > IDLE_MS;
    await this.showThrottle();
  }

  /** Fills one reservation: single sends first, then the jobs in turn, of each its retries and then first attempts. */
  private async take(sender: Sender, room: number): Promise<void> {
    const singles = this.singlesFirst();
    const reservation = await this.waitForPace(sender, room, singles ? 'single' : 'job');
    if (!reservation) return;
    this.intervalMs = reservation.intervalMs;
    let taken = 0;
    const allowedAt = this.parts.clock.monotonic();
    const dispatch = async (flights: readonly Flight[]): Promise<void> => {
      // A claim can wait for a lock of its job: meanwhile sending may have been stopped.
      const isSure = this.parts.clock.monotonic() - allowedAt < SURE_MS || !(await this.isStopped(sender));
      if (isSure) this.dispatch(sender, flights, reservation.intervalMs, taken);
      else this.flights.holdBack(flights);
      taken += flights.length;
    };
    if (singles) await dispatch(await this.claimSingles(sender, room));
    let refreshAt = this.parts.clock.monotonic() + REFRESH_EVERY_MS;
    while (taken < room && !this.stopped.signal.aborted) {
      // Thousands in a row may have opted out: nobody else waits for the end of them.
      if (this.parts.clock.monotonic() >= refreshAt) {
        await this.refresh();
        if (this.singleDue || this.mustWait(this.sender) > 0) return;
        refreshAt = this.parts.clock.monotonic() + REFRESH_EVERY_MS;
      }
      const job = this.jobs.next(this.health.probing);
      if (!job) return;
      const untriedFirst = this.health.probing && job.hasFirst;
      if (job.snapshot.retryDue && !untriedFirst) {
        const claimed = await this.jobs.claimRetries(job, room - taken);
        await dispatch(claimed.map((recipient) => this.jobFlight(job, recipient)));
      }
      if (job.hasFirst && taken < room) {
        const claimed = await this.jobs.claimFirst(job, room - taken, sender);
        await dispatch(claimed.map((recipient) => this.jobFlight(job, recipient)));
      }
    }
  }

  /** Single sends go first; but probes go round, since a single one may fail on account of its recipient. */
  private singlesFirst(): boolean {
    const first = this.singleDue && !(this.health.probing && this.probedSingle && this.jobs.hasNext());
    this.probedSingle = this.health.probing && first;
    return first;
  }

  private async claimSingles(sender: Sender, room: number): Promise<Flight[]> {
    const { leases, singleSends, unitOfWork } = this.parts;
    const claimed = await unitOfWork.run(async () => {
      if (!(await leases.hold(this.lease.senderId, this.lease.epoch))) return [];
      return singleSends.claimDue(sender, this.lease.epoch, room);
    });
    this.singleDue = claimed.length === room;
    return claimed.map(({ send, message }): Flight => ({
      recipient: send.messageId,
      to: personOf(message),
      content:
        message.type === 'Template' ? message : { kind: 'freeForm', type: message.type, content: message.content },
      callbackData: `${send.messageId}.${send.attempt}`,
      onAnswer: async (answer) => {
        const strike = this.noteAnswer(send.messageId, answer);
        const state = await singleSends.record({ messageId: send.messageId, attempt: send.attempt, answer, strike });
        if (state?.retryAt)
          this.nextRefreshAt = Math.min(this.nextRefreshAt, this.parts.clock.monotonic() + TAKE_AHEAD_MS);
      },
    }));
  }

  private jobFlight(job: TrackedJob, recipient: ClaimedRecipient): Flight {
    return {
      recipient: recipient.messageId,
      to: recipient.phone,
      content: {
        revisionId: job.snapshot.revisionId,
        parameters: recipient.parameters,
        headerMedia: job.snapshot.headerMedia,
      },
      callbackData: `${recipient.messageId}.${recipient.attempt}.${recipient.jobId}.${recipient.position}`,
      onAnswer: async (answer) => {
        const strike = this.noteAnswer(recipient.messageId, answer);
        await this.jobs.record(job, recipient, answer, strike);
      },
    };
  }

  private dispatch(sender: Sender, flights: readonly Flight[], intervalMs: number, before: number): void {
    if (flights.length === 0) return;
    this.busyAt = this.parts.clock.monotonic();
    for (const { recipient } of flights) this.health.dispatched(recipient, this.busyAt);
    this.flights.dispatch(sender, flights, intervalMs, before);
  }

  /** What an answer says about the platform; true when it counts against its recipient. */
  private noteAnswer(recipient: string, answer: Answer): boolean {
    if (answer.kind === 'held_back') {
      this.health.heldBack(recipient);
      return false;
    }
    const now = this.parts.clock.monotonic();
    if (answer.kind === 'throttled' && answer.scope === 'account') this.accountWaitUntil = now + ACCOUNT_THROTTLE_MS;
    return this.health.answered(recipient, answer, now);
  }

  /** Reserves pace and sleeps until it is there; null when by then nothing may be sent any more. */
  private async waitForPace(sender: Sender, count: number, use: SendPriority): Promise<Reservation | null> {
    const { clock, sendGateway, senders } = this.parts;
    const { signal } = this.stopped;
    const reservation = await sendGateway.reserve({
      senderId: sender.id,
      perSecond: sender.messagesPerSecond,
      count,
      use,
    });
    await clock.sleep(reservation?.waitMs ?? REFRESH_EVERY_MS, signal);
    if (signal.aborted || !this.lease.maySend()) return null;
    // A slow pace must not delay the emergency stop.
    if ((await senders.byId(sender.id))?.sendingPaused !== false) return null;
    return reservation;
  }

  /** Whether nothing of the sender may leave, or nobody can tell. */
  private async isStopped(sender: Sender): Promise<boolean> {
    const present = await this.parts.senders.byId(sender.id).catch(() => null);
    return present?.sendingPaused !== false;
  }

  private async showThrottle(): Promise<void> {
    const { clock, leases, telemetry } = this.parts;
    const now = clock.monotonic();
    const until = (ms: number): Date => new Date(clock.now().getTime() + ms);
    let throttle: LaneThrottle | null = null;
    if (now < this.accountWaitUntil)
      throttle = { reason: 'account_rate_limited', until: until(this.accountWaitUntil - now) };
    else if (this.health.probing) throttle = { reason: 'platform_outage', until: until(this.health.untilProbe(now)) };
    const shown = throttle && `${throttle.reason} ${Math.round(throttle.until.getTime() / 1000)}`;
    if (shown === this.shownThrottle) return;
    await leases.showThrottle(this.lease.senderId, this.lease.epoch, throttle);
    this.shownThrottle = shown;
    telemetry.throttled(this.lease.senderId, throttle);
  }

  private async pause(ms: number): Promise<void> {
    if (this.woken.signal.aborted && !this.stopped.signal.aborted) this.woken = new AbortController();
    if (ms > 0) await this.parts.clock.sleep(ms, this.woken.signal);
  }
}
