import type { Clock } from '../../../kernel/clock';
import type { Epoch, LaneLeases } from './lane-leases.port';

const RENEW_EVERY_MS = 1000;
/** Requests are sent at most this long after the last renewal began: up to one second before others may take the lane. */
const SEND_WITHIN_MS = 3000;

/** exclusive: no other process can exist, so the lease never expires; renewed: it is renewed and can be lost. */
export type LeaseTerms = 'exclusive' | 'renewed';

/** The lease on one lane, renewed while it is held. */
export class Lease {
  private renewedAt: number;
  private taken = false;
  private readonly ended = new AbortController();
  private readonly renewing: Promise<void>;

  /** `takenAt` is the monotonic time before the lease was requested. */
  constructor(
    private readonly leases: LaneLeases,
    private readonly clock: Clock,
    private readonly terms: LeaseTerms,
    readonly senderId: string,
    readonly epoch: Epoch,
    takenAt: number,
  ) {
    this.renewedAt = takenAt;
    this.renewing = terms === 'exclusive' ? Promise.resolve() : this.renew();
  }

  /** Whether another process has the lane, so that this one must claim and send nothing. */
  get lost(): boolean {
    return this.taken;
  }

  /** Whether a request may be sent now. */
  maySend(): boolean {
    if (this.taken) return false;
    return this.terms === 'exclusive' || this.clock.monotonic() - this.renewedAt < SEND_WITHIN_MS;
  }

  /** Stops renewing and releases the lane, unless another process has it. */
  async end(): Promise<void> {
    this.ended.abort();
    await this.renewing;
    // A lease that cannot be released expires.
    if (!this.taken) await this.leases.release(this.senderId, this.epoch).catch(() => undefined);
  }

  private async renew(): Promise<void> {
    while (!this.ended.signal.aborted && !this.taken) {
      await this.clock.sleep(RENEW_EVERY_MS, this.ended.signal);
      if (this.ended.signal.aborted) return;
      const startedAt = this.clock.monotonic();
      try {
        if (await this.leases.renew(this.senderId, this.epoch)) this.renewedAt = startedAt;
        else this.taken = true;
      } catch {
        // The database is unavailable: maySend becomes false until a renewal succeeds.
      }
    }
  }
}
