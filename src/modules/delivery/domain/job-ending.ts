import type { LaneJob, OutcomeCounts } from './lane-job-store.port';
import type { LaneParts } from './lane-parts';
import type { Lease } from './lease';

/** Ends the jobs of one lane in which nothing is open. */
export class JobEnding {
  private readonly running = new Map<string, Promise<void>>();
  /** Jobs whose rows did not match their counters at the first count. */
  private readonly mismatchedOnce = new Set<string>();

  constructor(
    private readonly parts: Pick<LaneParts, 'jobs' | 'telemetry'>,
    private readonly lease: Lease,
  ) {}

  /** Begins to end a job, unless this is in progress; a failure is reported, and the next call retries. */
  begin(snapshot: LaneJob): void {
    if (this.running.has(snapshot.id)) return;
    const end = this.end(snapshot)
      .catch((error: unknown) => this.parts.telemetry.failed(this.lease.senderId, error))
      .finally(() => this.running.delete(snapshot.id));
    this.running.set(snapshot.id, end);
  }

  /** Forgets a job that is no longer unfinished. */
  forget(jobId: string): void {
    this.mismatchedOnce.delete(jobId);
  }

  /** Resolves when no job is being ended. */
  async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }

  /** Ends a job whose rows match its counters; repairs the counters after two mismatches. */
  private async end(snapshot: LaneJob): Promise<void> {
    const counted = await this.parts.jobs.countOutcomes(snapshot.id, snapshot.cursor);
    if (addsUp(snapshot, counted)) {
      if (await this.parts.jobs.complete(snapshot.id, this.lease.epoch)) this.parts.telemetry.ended(snapshot);
      return;
    }
    if (!this.mismatchedOnce.delete(snapshot.id)) {
      this.mismatchedOnce.add(snapshot.id);
      return;
    }
    // Nothing is in flight here, so open recipients below the cursor were claimed and their outcome was lost with a database.
    if (counted.open > 0) {
      await this.parts.jobs.strandOpen(snapshot.id, this.lease.epoch, snapshot.cursor);
      this.parts.telemetry.repaired(snapshot, counted);
      return;
    }
    if (await this.parts.jobs.repair(snapshot, this.lease.epoch, counted))
      this.parts.telemetry.repaired(snapshot, counted);
  }
}

/** Whether the job was cancelled or has failed. */
export function hasEnded({ status }: LaneJob): boolean {
  return status === 'Cancelled' || status === 'Failed';
}

function addsUp(snapshot: LaneJob, counted: OutcomeCounts): boolean {
  if (counted.sent !== snapshot.successfullySent || counted.inGrace > 0 || counted.open > 0) return false;
  return hasEnded(snapshot) || counted.failed === snapshot.failed;
}
