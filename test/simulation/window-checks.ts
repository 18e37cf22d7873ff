import { opensAt } from '../../src/modules/bulk-jobs/domain/send-window';
import { hasLeftToSend, isClosed, isExpired, isRunning, windowOf } from '../fakes/lane-rows';
import type { JobRow, RecipientRow } from '../fakes/engine-rows';
import type { Change, HistoryDatabase } from './history-database';
import { PromiseBroken } from './promise-broken';

/** A closed window is marked within this time once nothing fails any more. */
const MARKED_WITHIN_MS = 5000;

/** Checks the promises about send windows: one mark each time a window closes, with the time at which it opens. */
export class WindowChecks {
  /** When each job last started, or changed its window. */
  private readonly since = new Map<string, number>();

  constructor(
    private readonly server: HistoryDatabase,
    private readonly guard: (look: () => void) => void,
    private readonly healedAt: number,
  ) {}

  committed(changes: readonly Change[]): void {
    for (const { row, before, after } of changes) {
      if (row.table === 'bulk_jobs') this.job(before as JobRow | null, after as JobRow);
    }
  }

  /** Schedules a check for the mark of a job before its window opens. */
  watch(job: JobRow): void {
    const { scheduler } = this.server;
    const window = windowOf(job);
    if (!window || !isRunning(job)) return;
    this.since.set(job.id, scheduler.now);
    const minute = nextMinute(this.server.now());
    for (const at of [minute, minute + 60_000]) {
      if (!isClosed(job, at - 1) || isClosed(job, at)) continue;
      scheduler.after(at - this.server.now().getTime() - 1, () => this.guard(() => this.marked(job.id, at)));
    }
  }

  private job(before: JobRow | null, after: JobRow): void {
    const isSame = before !== null && before.status === after.status && before.sendFrom === after.sendFrom;
    const isOnlyStarted = before?.status === 'Queued' && after.status === 'Processing';
    if (!isSame && !isOnlyStarted) this.watch(after);
    const marked = after.windowOpensAt?.getTime();
    if (marked === undefined || marked === before?.windowOpensAt?.getTime()) return;
    if (before?.windowOpensAt && before.windowOpensAt > this.server.now()) {
      throw new PromiseBroken('a closed window is marked once', `${after.id} again, until ${text(after)}`);
    }
    if (!isClosed(after, marked - 1) || isClosed(after, marked)) {
      throw new PromiseBroken('a mark lasts until the window opens', `${after.id} until ${text(after)}`);
    }
  }

  private marked(id: string, at: number): void {
    const { scheduler } = this.server;
    const job = this.server.jobs.row(id).committed;
    const longEnough = Math.max(this.healedAt, this.since.get(id)!) + MARKED_WITHIN_MS < scheduler.now;
    if (!job || !longEnough || !isRunning(job) || job.completedAt !== null || isExpired(job, at)) return;
    const window = windowOf(job);
    if (!window || !isClosed(job, at - 1) || opensAt(window, new Date(at - 1)).getTime() !== at) return;
    const rows = this.server
      .recipientsOf(id)
      .flatMap(({ committed }): RecipientRow[] => (committed ? [committed] : []));
    if (!hasLeftToSend(job, rows) || job.windowOpensAt?.getTime() === at) return;
    throw new PromiseBroken('a closed window is marked', `${id} until ${text(job)}`);
  }
}

function nextMinute(now: Date): number {
  return (Math.floor(now.getTime() / 60_000) + 1) * 60_000;
}

function text({ windowOpensAt }: JobRow): string {
  return windowOpensAt?.toISOString() ?? 'nothing';
}
