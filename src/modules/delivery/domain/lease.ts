import type { Clock } from '../../../kernel/clock';
import type { Epoch, LaneLeases } from './lane-leases.port';
import type { LaneParts, LeaseTerms } from './lane-parts';

const RENEW_EVERY_MS = 1000;
/** Requests are sent at most this long after the last renewal began: up to one second before others may take the lane. */
const SEND_WITHIN_MS = 3000;

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

  /**
   * Takes the lane and begins a new epoch: recipients in flight under an older one become unknown, and its owner can no longer claim
   * anything. Null if another process owns the lane.
   */
  static async take(
    parts: Pick<LaneParts, 'unitOfWork' | 'leases' | 'jobs' | 'singleSends' | 'clock' | 'limits'>,
    senderId: string,
  ): Promise<Lease | null> {
    const { unitOfWork, leases, jobs, singleSends, clock, limits } = parts;
    const takenAt = clock.monotonic();
    const epoch = await unitOfWork.run(async () => {
      const taken = await leases.take(senderId);
      if (taken === null) return null;
      await jobs.takeOver(senderId, taken);
      await singleSends.strand(senderId, taken);
      return taken;
    });
    return epoch === null ? null : new Lease(leases, clock, limits.terms, senderId, epoch, takenAt);
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
