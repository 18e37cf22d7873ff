import type { Clock } from '../../../kernel/clock';
import type { Reservation, PaceRequest } from '../domain/outgoing-message';
import {
  BURST_MS,
  CLIMB_PER_SECOND,
  CUT,
  CUT_SERIES_MS,
  FIRST_CUT,
  FIRST_CUTS,
  FLOOR_PER_SECOND,
  JOB_SHARE,
  SINGLE_PRIORITY_MS,
  RateLimiter,
} from '../domain/rate-limiter.port';

interface SenderPace {
  /** Theoretical arrival time (GCRA): send time of the next message without a burst, in monotonic ms. */
  next: number;
  /** Messages per second after cuts. */
  current: number;
  currentAt: number;
  lastCutAt: number;
  /** Cuts in a row. */
  cuts: number;
  lastSingleAt: number;
}

/** Options of the in-process limiter, which serves the only process or the owner of a sender's lane. */
export interface InProcessPaceOptions {
  /** No other process sends. */
  alone: boolean;
  /** Requests the lane of a sender for this process. */
  requestLane: (senderId: string) => void;
  /** How long to wait for the lane. */
  laneWaitMs: number;
}

const LANE_POLL_MS = 10;

/** Limits each sender's pace in memory: a GCRA with a burst of 12.5 ms. */
export class InProcessRateLimiter extends RateLimiter {
  private readonly senders = new Map<string, SenderPace>();
  private readonly lanes = new Set<string>();

  constructor(
    private readonly clock: Clock,
    private readonly options: InProcessPaceOptions,
  ) {
    super();
  }

  async reserve({ senderId, perSecond, count, use, maxWaitMs }: PaceRequest): Promise<Reservation | null> {
    if (!(await this.maySend(senderId))) return null;
    const now = this.clock.monotonic();
    const sender = this.at(senderId, perSecond, now);
    if (use === 'single') sender.lastSingleAt = now;
    const share = use === 'job' && now - sender.lastSingleAt < SINGLE_PRIORITY_MS ? JOB_SHARE : 1;
    const intervalMs = 1000 / (sender.current * share);
    const burst = Math.max(0, BURST_MS - intervalMs);
    const next = Math.max(sender.next, now);
    const waitMs = Math.max(0, next - burst - now);
    if (maxWaitMs !== undefined && waitMs > maxWaitMs) return null;
    sender.next = next + count * intervalMs;
    return { waitMs, intervalMs };
  }

  cut(senderId: string, perSecond: number, ageMs: number): Promise<void> {
    const now = this.clock.monotonic();
    const sender = this.at(senderId, perSecond, now);
    if (now - ageMs > sender.lastCutAt) {
      sender.cuts = now - sender.lastCutAt < CUT_SERIES_MS ? sender.cuts + 1 : 1;
      sender.lastCutAt = now;
      sender.current = Math.max(FLOOR_PER_SECOND, sender.current * (sender.cuts > FIRST_CUTS ? CUT : FIRST_CUT));
    }
    return Promise.resolve();
  }

  current(senderId: string, perSecond: number): Promise<number> {
    return Promise.resolve(this.at(senderId, perSecond, this.clock.monotonic()).current);
  }

  laneAcquired(senderId: string): void {
    this.lanes.add(senderId);
  }

  laneReleased(senderId: string): void {
    this.lanes.delete(senderId);
  }

  private async maySend(senderId: string): Promise<boolean> {
    const allowed = (): boolean => this.options.alone || this.lanes.has(senderId);
    if (allowed()) return true;
    this.options.requestLane(senderId);
    for (let waited = 0; waited < this.options.laneWaitMs; waited += LANE_POLL_MS) {
      await this.clock.sleep(LANE_POLL_MS);
      if (allowed()) return true;
    }
    return false;
  }

  private at(senderId: string, nominal: number, now: number): SenderPace {
    let sender = this.senders.get(senderId);
    if (!sender) {
      // A new lane starts without a burst, so that it does not exceed its pace.
      sender = {
        next: now + BURST_MS,
        current: nominal,
        currentAt: now,
        lastCutAt: -Infinity,
        cuts: 0,
        lastSingleAt: -Infinity,
      };
      this.senders.set(senderId, sender);
    }
    const climb = ((now - sender.currentAt) / 1000) * CLIMB_PER_SECOND * nominal;
    sender.current = Math.min(nominal, sender.current + climb);
    sender.currentAt = now;
    return sender;
  }
}
