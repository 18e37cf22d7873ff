import type { Clock } from '../../../kernel/clock';
import type { Epoch, LaneLeases } from './lane-leases.port';

const RENEW_EVERY_MS = 1000;
/** A request leaves only this long after the last renewal was begun: one second before others may take the lane. */
const SEND_WITHIN_MS = 3000;

/** How long a lease lasts: for ever where no other process can exist, else it is renewed and watched. */
export type LeaseTerms = 'exclusive' | 'renewed';

/** The lease on one lane, kept alive while it is held. */
export class Lease {
  private renewedAt: number;
  private taken = false;
  private readonly ended = new AbortController();
  private readonly keeping: Promise<void>;

  /** `takenAt` is the monotonic moment before the lease was asked for. */
  constructor(
    private readonly leases: LaneLeases,
    private readonly clock: Clock,
    private readonly terms: LeaseTerms,
    readonly senderId: string,
    readonly epoch: Epoch,
    takenAt: number,
  ) {
    this.renewedAt = takenAt;
    this.keeping = terms === 'exclusive' ? Promise.resolve() : this.keep();
  }

  /** Somebody else has the lane: nothing of it may be claimed or sent here. */
  get lost(): boolean {
    return this.taken;
  }

  /** Whether a request may leave at this moment. */
  maySend(): boolean {
    if (this.taken) return false;
    return this.terms === 'exclusive' || this.clock.monotonic() - this.renewedAt < SEND_WITHIN_MS;
  }

  /** Stops renewing and gives the lane back, unless somebody else has it. */
  async end(): Promise<void> {
    this.ended.abort();
    await this.keeping;
    // A lease that cannot be given back ends by itself.
    if (!this.taken) await this.leases.giveBack(this.senderId, this.epoch).catch(() => undefined);
  }

  private async keep(): Promise<void> {
    while (!this.ended.signal.aborted && !this.taken) {
      await this.clock.sleep(RENEW_EVERY_MS, this.ended.signal);
      if (this.ended.signal.aborted) return;
      const begun = this.clock.monotonic();
      try {
        if (await this.leases.renew(this.senderId, this.epoch)) this.renewedAt = begun;
        else this.taken = true;
      } catch {
        // The database is unavailable: maySend stays false until a renewal succeeds.
      }
    }
  }
}
