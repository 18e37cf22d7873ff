import { isRunning, isVisible } from '../fakes/lane-rows';
import type { JobRow, SingleSendRow } from '../fakes/engine-rows';
import type { Change, HistoryDatabase } from './history-database';
import { PromiseBroken } from './promise-broken';

/** Longest time from the reading of the clock that decides until its commit. */
const COMMIT_MS = 10_000;
/** A scheduled job starts within this time if nothing fails. */
const STARTS_WITHIN_MS = 2500;

/** What a history allows these checks to expect. */
export interface ClockTerms {
  /** Nothing fails from this time on, so that scheduled jobs start in time; null: something may. */
  calmFrom: number | null;
  /** The validity of single sends; null: processes use their own clocks. */
  singleValidMs: number | null;
}

/** Checks that every moment that decides is the database's, whatever the clocks of the processes show. */
export class ClockChecks {
  constructor(
    private readonly server: HistoryDatabase,
    private readonly guard: (look: () => void) => void,
    private readonly terms: ClockTerms,
  ) {}

  committed(changes: readonly Change[]): void {
    for (const { row, before, after } of changes) {
      if (row.table === 'bulk_jobs') this.job(before as JobRow | null, after as JobRow);
      if (row.table === 'single_sends' && before === null) this.queued(after as SingleSendRow);
    }
  }

  private job(before: JobRow | null, after: JobRow): void {
    const { id, createdAt, scheduledAt, status } = after;
    if (before && !isVisible(before) && isVisible(after)) {
      if (this.distance(createdAt) > COMMIT_MS)
        throw new PromiseBroken('a job is created at its moment', `${id} at ${createdAt.toISOString()}`);
      if (isRunning(after) && scheduledAt !== null && scheduledAt > this.server.now())
        throw new PromiseBroken('a schedule starts its job once', `${id} was new`);
    }
    const isNew = status === 'Scheduled' && (before?.status !== status || before.scheduledAt !== scheduledAt);
    if (isNew && scheduledAt && this.terms.calmFrom !== null) this.watch(id, scheduledAt, this.terms.calmFrom);
  }

  /** Expects that the job has started shortly after its moment, unless that was changed. */
  private watch(id: string, scheduledAt: Date, calmFrom: number): void {
    const { scheduler } = this.server;
    const wait = scheduledAt.getTime() - this.server.now().getTime();
    const at = Math.max(scheduler.now + wait, scheduler.now, calmFrom) + STARTS_WITHIN_MS;
    scheduler.after(at - scheduler.now, () =>
      this.guard(() => {
        const job = this.server.jobs.row(id).committed;
        if (job?.status !== 'Scheduled' || job.scheduledAt !== scheduledAt) return;
        throw new PromiseBroken('a scheduled job starts within its moment', `${id} at ${scheduledAt.toISOString()}`);
      }),
    );
  }

  private queued({ attempt, messageId, needsRoom, retryAt, validUntil }: SingleSendRow): void {
    const now = this.server.now();
    if (attempt === 0 && !needsRoom && retryAt! > now)
      throw new PromiseBroken('a queued single send does not wait', `${messageId} until ${retryAt!.toISOString()}`);
    const { singleValidMs } = this.terms;
    if (singleValidMs === null || this.distance(new Date(validUntil.getTime() - singleValidMs)) <= COMMIT_MS) return;
    throw new PromiseBroken('a single send is valid for its time', `${messageId} until ${validUntil.toISOString()}`);
  }

  private distance(moment: Date): number {
    return Math.abs(moment.getTime() - this.server.now().getTime());
  }
}
