import { Injectable } from '@nestjs/common';
import { Loop } from '../../../kernel/loop';
import { Lane } from './lane';
import type { LaneCensus } from './lane-leases.port';
import { LaneParts } from './lane-parts';
import { LaneQueue } from './lane-queue.port';
import { Lease } from './lease';

const SWEEP_EVERY_MS = 1000;
const SWEEP_JITTER_MS = 200;
/** A lane without an owner for this long is also taken by workers that have their share. */
const UNOWNED_GRACE_MS = 3000;
/** Few at a time: each released lane sends nothing until its next owner has taken it. */
const MAX_RELEASED_PER_SWEEP = 2;

/** The current state of the lanes of one process. */
export interface LaneDriverState {
  lanes: number;
  /** Number of lanes that may not send because their lease was not renewed in time. */
  withoutLease: number;
  /** Milliseconds since the last search for lanes with work; null before the start and after the stop. */
  sweptAgoMs: number | null;
}

/**
 * Runs the lanes of this process: takes its share of those with work and no owner, and releases idle ones and, when workers join, those
 * above its share.
 */
@Injectable()
export class LaneDriver {
  private readonly lanes = new Map<string, Lane>();
  /** Senders whose lane is being taken, run or released here. */
  private readonly active = new Set<string>();
  private readonly running = new Set<Promise<void>>();
  private readonly sweeping: Loop;
  private sweptAt: number | null = null;
  /** Maximum number of lanes that this process takes and keeps. */
  private share = Infinity;
  /** When each lane found by the last sweep was first seen without an owner; monotonic. */
  private freeSince = new Map<string, number>();
  /** Lanes being released with work left, for another worker. */
  private readonly released = new Set<string>();
  private stopped = false;
  /** The only process reports once; others report in each sweep. */
  private isReported = false;

  constructor(
    private readonly parts: LaneParts,
    private readonly queue: LaneQueue,
  ) {
    this.sweeping = new Loop({
      name: 'lane_sweep',
      clock: parts.clock,
      everyMs: SWEEP_EVERY_MS,
      jitterMs: SWEEP_JITTER_MS,
      round: () => this.sweep(),
      failed: (error) => parts.telemetry.failed(null, error),
    });
  }

  /** Starts taking lanes: on wake-ups, and once a second without them. */
  start(): void {
    this.queue.onWake((senderId) => this.offer(senderId));
    this.sweptAt = this.parts.clock.monotonic();
    this.sweeping.start();
  }

  /** The current state. */
  get state(): LaneDriverState {
    const lanes = [...this.lanes.values()];
    return {
      lanes: lanes.length,
      withoutLease: lanes.filter(({ maySend }) => !maySend).length,
      sweptAgoMs: this.sweptAt === null || this.stopped ? null : this.parts.clock.monotonic() - this.sweptAt,
    };
  }

  /** Wakes the lane of a sender that may have work, or takes it unless another process owns it or this one has its share. */
  offer(senderId: string): void {
    const lane = this.lanes.get(senderId);
    if (lane) lane.wake();
    else if (this.active.size < this.share) this.take(senderId);
  }

  private take(senderId: string): void {
    if (this.stopped || this.active.size >= this.parts.limits.maxLanes || this.active.has(senderId)) return;
    this.active.add(senderId);
    const run = this.open(senderId)
      .catch((error: unknown) => this.parts.telemetry.failed(senderId, error))
      .finally(() => {
        this.active.delete(senderId);
        this.running.delete(run);
        if (this.released.delete(senderId)) this.queue.wake(senderId);
      });
    this.running.add(run);
  }

  /** Stops claiming, waits for the answers of attempts in flight, records them and releases the lanes: no outcome stays unknown. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stopLanes();
    await this.sweeping.stop();
    await this.parts.leases.leave().catch((error) => this.parts.telemetry.failed(null, error));
    while (this.running.size > 0) {
      this.stopLanes();
      await Promise.all(this.running);
    }
    await this.parts.recorder.answers.settled();
    await this.parts.singleSends.answers.settled();
  }

  private async open(senderId: string): Promise<void> {
    const { telemetry, sendGateway } = this.parts;
    if (!(await this.isSafe())) return;
    const lease = await Lease.take(this.parts, senderId);
    if (lease === null) return;
    const lane = new Lane(this.parts, lease);
    this.lanes.set(senderId, lane);
    if (this.stopped) lane.stop();
    sendGateway.laneAcquired(senderId);
    telemetry.taken(senderId, lease.epoch);
    try {
      await lane.run();
    } finally {
      this.lanes.delete(senderId);
      sendGateway.laneReleased(senderId);
      telemetry.left(senderId, lease.lost);
      await lease.end();
    }
  }

  private async sweep(): Promise<void> {
    const { clock, leases, singleSends } = this.parts;
    try {
      await this.isSafe();
      const free = await leases.sendersToRun();
      const reported = this.keptLanes;
      if (this.sharesLanes) this.share = laneShare(await leases.report(reported), free.length);
      else if (!this.isReported) {
        await leases.report(reported);
        this.isReported = true;
      }
      this.takeShareOf(free);
      this.releaseExcess();
      // Otherwise other workers would count a lane twice that is reported here and free again, and take more than their share.
      if (this.sharesLanes && this.keptLanes !== reported) await leases.report(this.keptLanes);
      await singleSends.settleOverdue();
    } finally {
      this.sweptAt = clock.monotonic();
    }
  }

  /** Whether the database is unchanged since the last check; if not, abandons all lanes, whose state is outdated. */
  private async isSafe(): Promise<boolean> {
    if (!this.sharesLanes || (await this.parts.afterRestore.check())) return true;
    for (const lane of this.lanes.values()) lane.abandon();
    return false;
  }

  /** Number of lanes that run here and are not being released. */
  private get keptLanes(): number {
    return this.active.size - this.released.size;
  }

  private get sharesLanes(): boolean {
    return this.parts.limits.terms !== 'exclusive';
  }

  private takeShareOf(free: readonly string[]): void {
    const now = this.parts.clock.monotonic();
    this.freeSince = new Map(free.map((senderId) => [senderId, this.freeSince.get(senderId) ?? now]));
    // Workers start at random lanes, so that they do not race for the same ones.
    const first = Math.floor(this.parts.clock.jitter(free.length));
    for (const senderId of [...free.slice(first), ...free.slice(0, first)]) {
      const isOverdue = now - this.freeSince.get(senderId)! >= UNOWNED_GRACE_MS;
      if (this.active.size < this.share || isOverdue) this.take(senderId);
    }
  }

  /** Stops lanes above the share as at shutdown: answers are recorded first, so a move leaves no unknown outcomes. */
  private releaseExcess(): void {
    const excess = this.keptLanes - this.share;
    const lanes = [...this.lanes].filter(([senderId]) => !this.released.has(senderId));
    // Lanes with the least work first, as a move interrupts sending.
    lanes.sort(([, a], [, b]) => a.waitingRecipients - b.waitingRecipients);
    for (const [senderId, lane] of lanes.slice(0, Math.max(0, Math.min(excess, MAX_RELEASED_PER_SWEEP)))) {
      this.released.add(senderId);
      lane.stop();
    }
  }

  private stopLanes(): void {
    for (const [senderId, lane] of this.lanes) {
      this.released.add(senderId);
      lane.stop();
    }
  }
}

/**
 * The number of lanes for each worker if `free` lanes have no owner: an equal share of these and the running ones. The only worker takes
 * all.
 */
export function laneShare({ workers, lanes }: LaneCensus, free: number): number {
  return workers <= 1 ? Infinity : Math.ceil((lanes + free) / workers);
}
