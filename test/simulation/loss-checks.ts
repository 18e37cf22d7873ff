import { isRunning } from '../fakes/lane-rows';
import type { DatabaseBackup, HistoryDatabase } from './history-database';
import { PromiseBroken } from './promise-broken';
import type { Flight } from './simulated-platform';

/** A request is sent at most this long after its claim. */
const CLAIM_MS = 4000;

/** Checks what processes send after their database has lost its last transactions. */
export class LossChecks {
  /** Sent by claims that the database has lost. */
  private readonly lostFlights = new Set<Flight>();
  private readonly lostAttempts = new Set<string>();
  /** Messages of attempts whose claim or answer the database has lost. */
  private readonly lostMessages = new Set<string>();
  /** Jobs that no lane ran, so that none compares their cursors. */
  private readonly unwatchedJobs = new Set<string>();
  /** Messages that may reach their recipient twice without a person: sent again before a sweep could notice the loss. */
  private readonly repeated = new Set<string>();
  private lostAt: number | null = null;

  constructor(
    private readonly server: HistoryDatabase,
    private readonly backup: DatabaseBackup,
    /** Time within which the loss is noticed, in ms. */
    private readonly noticedWithinMs: number,
  ) {}

  /** The database is about to lose everything committed since its copy. */
  losing(flights: Iterable<Flight>): void {
    this.lostAt = this.server.scheduler.now;
    for (const job of this.server.jobs.committed()) if (!isRunning(job) || job.atRest) this.unwatchedJobs.add(job.id);
    const takenAt = this.backup.takenAt ?? Infinity;
    for (const flight of flights) {
      if ((flight.answeredAt ?? Infinity) < takenAt) continue;
      if (flight.departedAt >= takenAt) this.add(flight);
      else this.lostMessages.add(flight.messageId);
    }
  }

  get hasLost(): boolean {
    return this.lostAt !== null;
  }

  /** Whether lost claims may still be sent. */
  get isPending(): boolean {
    if (this.lostAt === null) return false;
    const { noticedAt } = this.backup;
    return noticedAt === null || this.server.scheduler.now < noticedAt + CLAIM_MS;
  }

  /** A request leaves; a person may have resumed its job. */
  departed(flight: Flight, isResumed: boolean): void {
    if (this.lostAt === null) return;
    const { callbackData, life, messageId } = flight;
    const isOverdue = this.server.scheduler.now - this.lostAt > this.noticedWithinMs;
    if (isOverdue && this.backup.noticedAt === null && !life.wasFrozenSince(this.lostAt)) {
      throw new PromiseBroken('lost transactions are noticed', callbackData);
    }
    if (isResumed) return;
    const isNoticed = !this.isPending || this.isKnownToItsLane(flight);
    if (isNoticed && this.lostAttempts.has(keyOf(flight))) {
      throw new PromiseBroken('lost attempts are repeated only by a person', callbackData);
    }
    if (!isNoticed && this.lostMessages.has(messageId)) this.repeated.add(messageId);
  }

  /** A request left whose claim the database has lost. */
  add(flight: Flight): void {
    this.lostFlights.add(flight);
    this.lostAttempts.add(keyOf(flight));
    this.lostMessages.add(flight.messageId);
  }

  isLost(flight: Flight): boolean {
    return this.lostFlights.has(flight);
  }

  isRepeated(messageId: string): boolean {
    return this.repeated.has(messageId);
  }

  /** The lane compares the cursor of each job that it runs; first attempts lie below it. */
  private isKnownToItsLane({ attempt, callbackData }: Flight): boolean {
    const jobId = callbackData.split('.')[2];
    return jobId !== undefined && attempt === 1 && !this.unwatchedJobs.has(jobId);
  }
}

function keyOf({ messageId, attempt }: Flight): string {
  return `${messageId}.${attempt}`;
}
