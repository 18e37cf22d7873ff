import { Injectable } from '@nestjs/common';
import { Loop } from '../../../kernel/loop';
import { Lane } from './lane';
import type { LaneCensus } from './lane-leases.port';
import { LaneParts } from './lane-parts';
import { LaneQueue } from './lane-queue.port';
import { Lease } from './lease';

const SWEEP_EVERY_MS = 1000;
const SWEEP_JITTER_MS = 200;
/** A lane that stays without an owner for so long is taken by a worker that has its share already. */
const OTHERS_TAKE_WITHIN_MS = 3000;
/** Lanes that one sweep gives back at most: each stands still until the next owner has taken it. */
const GIVEN_BACK_AT_ONCE = 2;

/** What the lanes of one process do at a moment. */
export interface LaneDriverState {
  lanes: number;
  /** Lanes that may not send because their lease was not renewed in time. */
  withoutLease: number;
  /** Milliseconds since the last search for lanes with work; null before the start and after the end. */
  sweptAgoMs: number | null;
}

/**
 * Runs the lanes of this process: takes its share of those that have work and no owner, gives back the idle ones and, when
 * workers join, those above its share.
 */
@Injectable()
export class LaneDriver {
  private readonly lanes = new Map<string, Lane>();
  /** Senders whose lane is being taken, run or given back here. */
  private readonly underWay = new Set<string>();
  private readonly running = new Set<Promise<void>>();
  private readonly sweeping: Loop;
  private sweptAt: number | null = null;
  /** Lanes that this process takes and keeps. */
  private share = Infinity;
  /** Since when the lanes that the last sweep saw have had no owner; monotonic. */
  private freeSince = new Map<string, number>();
  /** Lanes that are given back with work left, for another worker to take. */
  private readonly released = new Set<string>();
  private stopped = false;
  /** The only process reports once; one that shares lanes in each sweep. */
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

  /** Begins to take lanes: at wake-ups, and once a second without any. */
  start(): void {
    this.queue.onWake((senderId) => this.offer(senderId));
    this.sweptAt = this.parts.clock.monotonic();
    this.sweeping.start();
  }

  /** What this process does now. */
  get state(): LaneDriverState {
    const lanes = [...this.lanes.values()];
    return {
      lanes: lanes.length,
      withoutLease: lanes.filter(({ maySend }) => !maySend).length,
      sweptAgoMs: this.sweptAt === null || this.stopped ? null : this.parts.clock.monotonic() - this.sweptAt,
    };
  }

  /** A sender may have work: wakes its lane, or takes it unless another process owns it or this one has its share. */
  offer(senderId: string): void {
    const lane = this.lanes.get(senderId);
    if (lane) lane.wake();
    else if (this.underWay.size < this.share) this.take(senderId);
  }

  private take(senderId: string): void {
    if (this.stopped || this.underWay.size >= this.parts.limits.maxLanes || this.underWay.has(senderId)) return;
    this.underWay.add(senderId);
    const run = this.open(senderId)
      .catch((error: unknown) => this.parts.telemetry.failed(senderId, error))
      .finally(() => {
        this.underWay.delete(senderId);
        this.running.delete(run);
        if (this.released.delete(senderId)) this.queue.wake(senderId);
      });
    this.running.add(run);
  }

  /** Takes nothing any more, waits for what is in flight, records it and gives the lanes back: nothing stays unknown. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.stopLanes();
    await this.sweeping.stop();
    await this.parts.leases.leave().catch((error) => this.parts.telemetry.failed(null, error));
    while (this.running.size > 0) {
      this.stopLanes();
      await Promise.all(this.running);
    }
    await this.parts.recorder.settled();
    await this.parts.singleSends.settled();
  }

  private async open(senderId: string): Promise<void> {
    const { clock, leases, ownership, telemetry, sendGateway } = this.parts;
    if (!(await this.isSafe())) return;
    const takenAt = clock.monotonic();
    const epoch = await ownership.take(senderId);
    if (epoch === null) return;
    const lease = new Lease(leases, clock, this.parts.limits.terms, senderId, epoch, takenAt);
    const lane = new Lane(this.parts, lease);
    this.lanes.set(senderId, lane);
    if (this.stopped) lane.stop();
    sendGateway.laneTaken(senderId);
    telemetry.taken(senderId, epoch);
    try {
      await lane.run();
    } finally {
      this.lanes.delete(senderId);
      sendGateway.laneGivenBack(senderId);
      telemetry.left(senderId, lease.lost);
      await lease.end();
    }
  }

  private async sweep(): Promise<void> {
    const { clock, leases, singleSends } = this.parts;
    try {
      await this.isSafe();
      const free = await leases.sendersToRun();
      const reported = this.kept;
      if (this.sharesLanes) this.share = laneShare(await leases.report(reported), free.length);
      else if (!this.isReported) {
        await leases.report(reported);
        this.isReported = true;
      }
      this.takeShareOf(free);
      this.giveBackExcess();
      // Others would count a lane twice that is reported here and free again, and take more than their share.
      if (this.sharesLanes && this.kept !== reported) await leases.report(this.kept);
      await singleSends.settleOverdue();
    } finally {
      this.sweptAt = clock.monotonic();
    }
  }

  /** Whether the database is still the one that was looked at last; else no lane goes on with what it knows. */
  private async isSafe(): Promise<boolean> {
    if (!this.sharesLanes || (await this.parts.afterRestore.check())) return true;
    for (const lane of this.lanes.values()) lane.abandon();
    return false;
  }

  /** Lanes that run here and are not given back. */
  private get kept(): number {
    return this.underWay.size - this.released.size;
  }

  private get sharesLanes(): boolean {
    return this.parts.limits.terms !== 'exclusive';
  }

  private takeShareOf(free: readonly string[]): void {
    const now = this.parts.clock.monotonic();
    this.freeSince = new Map(free.map((senderId) => [senderId, this.freeSince.get(senderId) ?? now]));
    // Workers that start with different ones do not race for the same lanes.
    const first = Math.floor(this.parts.clock.jitter(free.length));
    for (const senderId of [...free.slice(first), ...free.slice(0, first)]) {
      const isLeft = now - this.freeSince.get(senderId)! >= OTHERS_TAKE_WITHIN_MS;
      if (this.underWay.size < this.share || isLeft) this.take(senderId);
    }
  }

  /** Lanes end as at a stop of the process: their flights land and are recorded first, so a move leaves nothing unknown. */
  private giveBackExcess(): void {
    const excess = this.kept - this.share;
    const lanes = [...this.lanes].filter(([senderId]) => !this.released.has(senderId));
    // The lane with the least to do has the least to lose.
    lanes.sort(([, a], [, b]) => a.waitingRecipients - b.waitingRecipients);
    for (const [senderId, lane] of lanes.slice(0, Math.max(0, Math.min(excess, GIVEN_BACK_AT_ONCE)))) {
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
 * How many lanes a worker takes and keeps when `free` lanes wait for an owner beside those that run: as many as any other.
 * The only worker takes all.
 */
export function laneShare({ workers, lanes }: LaneCensus, free: number): number {
  return workers <= 1 ? Infinity : Math.ceil((lanes + free) / workers);
}
