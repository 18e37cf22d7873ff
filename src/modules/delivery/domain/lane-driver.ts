import { Injectable } from '@nestjs/common';
import { Lane } from './lane';
import { LaneParts } from './lane-parts';
import { LaneQueue } from './lane-queue.port';
import { Lease } from './lease';

const SWEEP_EVERY_MS = 1000;
const SWEEP_JITTER_MS = 200;

/** What the lanes of one process do at a moment. */
export interface LaneDriverState {
  lanes: number;
  /** Lanes that may not send because their lease was not renewed in time. */
  withoutLease: number;
  /** Recipients without an outcome in the unfinished jobs of these lanes. */
  waitingRecipients: number;
  /** Milliseconds since the last look for lanes with work; null before the start and after the end. */
  sweptAgoMs: number | null;
}

/** Runs the lanes of this process: takes those that have work and nobody to do it, and gives back the idle ones. */
@Injectable()
export class LaneDriver {
  private readonly lanes = new Map<string, Lane>();
  /** Senders whose lane is being taken, run or given back here. */
  private readonly underWay = new Set<string>();
  private readonly running = new Set<Promise<void>>();
  private readonly stopped = new AbortController();
  private sweeping: Promise<void> | null = null;
  private sweptAt = 0;

  constructor(
    private readonly parts: LaneParts,
    private readonly queue: LaneQueue,
  ) {}

  /** Begins to take lanes: at knocks, and once a second whatever the knocks say. */
  start(): void {
    this.queue.onKnock((senderId) => this.offer(senderId));
    this.sweptAt = this.parts.clock.monotonic();
    this.sweeping = this.sweep();
  }

  /** What this process does now. */
  get state(): LaneDriverState {
    const lanes = [...this.lanes.values()];
    const sweeps = this.sweeping !== null && !this.stopped.signal.aborted;
    return {
      lanes: lanes.length,
      withoutLease: lanes.filter(({ maySend }) => !maySend).length,
      waitingRecipients: lanes.reduce((sum, { waitingRecipients }) => sum + waitingRecipients, 0),
      sweptAgoMs: sweeps ? this.parts.clock.monotonic() - this.sweptAt : null,
    };
  }

  /** A sender may have work: looks after it unless somebody else does. */
  offer(senderId: string): void {
    if (this.stopped.signal.aborted) return;
    const lane = this.lanes.get(senderId);
    if (lane) return lane.wake();
    if (this.underWay.size >= this.parts.limits.maxLanes || this.underWay.has(senderId)) return;
    this.underWay.add(senderId);
    const run = this.open(senderId)
      .catch((error: unknown) => this.parts.journal.failed(senderId, error))
      .finally(() => {
        this.underWay.delete(senderId);
        this.running.delete(run);
      });
    this.running.add(run);
  }

  /** Takes nothing any more, waits for what is in flight, records it and gives the lanes back: nothing stays unknown. */
  async stop(): Promise<void> {
    this.stopped.abort();
    for (const lane of this.lanes.values()) lane.stop();
    await this.sweeping;
    while (this.running.size > 0) {
      for (const lane of this.lanes.values()) lane.stop();
      await Promise.all(this.running);
    }
    await this.parts.recorder.settled();
    await this.parts.singleSends.settled();
  }

  private async open(senderId: string): Promise<void> {
    const { clock, journal, outlet, singleSends, store } = this.parts;
    const takenAt = clock.monotonic();
    const epoch = await store.take(senderId, (taken) => singleSends.strand(senderId, taken));
    if (epoch === null) return;
    const lease = new Lease(store, clock, this.parts.limits.terms, senderId, epoch, takenAt);
    const lane = new Lane(this.parts, lease);
    this.lanes.set(senderId, lane);
    if (this.stopped.signal.aborted) lane.stop();
    outlet.laneTaken(senderId);
    journal.taken(senderId, epoch);
    try {
      await lane.run();
    } finally {
      this.lanes.delete(senderId);
      outlet.laneGivenBack(senderId);
      journal.left(senderId, lease.lost);
      await lease.end();
    }
  }

  private async sweep(): Promise<void> {
    const { clock, journal, singleSends, store } = this.parts;
    while (!this.stopped.signal.aborted) {
      try {
        for (const senderId of await store.sendersToRun()) this.offer(senderId);
        await singleSends.settleOverdue();
      } catch (error) {
        journal.failed(null, error);
      }
      this.sweptAt = clock.monotonic();
      await clock.sleep(SWEEP_EVERY_MS + clock.jitter(SWEEP_JITTER_MS), this.stopped.signal);
    }
  }
}
