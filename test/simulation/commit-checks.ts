import type { JobRow, LaneRow, RecipientRow, SingleSendRow } from '../fakes/engine-rows';
import type { Change, HistoryDatabase, MessageState } from './history-database';
import { isEnded, isRunning, isVisible, isWaiting } from '../fakes/lane-rows';
import { checkEvents } from './event-checks';
import type { Life } from './life';
import { PromiseBroken } from './promise-broken';

const FINAL = new Set(['Sent', 'Failed', 'Skipped', 'Cancelled']);

/** Checks the promises that every commit must keep. */
export class CommitChecks {
  /** Number of times that the end of each job was committed. */
  readonly endings = new Map<string, number>();
  /** A lane may count answers as recorded that the database has lost, until it counts the rows of the job. */
  private mayLackAnswers = false;

  /**
   * `onlyMoves`: lanes move, but nothing fails. Direct sends of a stopping process belong to no lane. `isPeopled`:
   * people end pauses by requests to a process; other checks cover these.
   */
  constructor(
    private readonly server: HistoryDatabase,
    private readonly onlyMoves: boolean,
    private readonly isPeopled: boolean,
  ) {}

  check(owner: Life | null, changes: readonly Change[]): void {
    checkEvents(changes);
    const jobs = new Set<string>();
    for (const { row, before, after } of changes) {
      if (this.onlyMoves && row.table === 'job_recipients' && 'outcome' in after && after.outcome === 'Unknown') {
        throw new PromiseBroken('a move leaves nothing unknown', JSON.stringify(after));
      }
      switch (row.table) {
        case 'sender_lanes':
          this.lane(before as LaneRow | null, after as LaneRow);
          break;
        case 'bulk_jobs':
          this.job(owner, before as JobRow | null, after as JobRow);
          jobs.add((after as JobRow).id);
          break;
        case 'job_recipients':
          this.recipient(owner, before as RecipientRow, after as RecipientRow);
          jobs.add((after as RecipientRow).jobId);
          break;
        case 'single_sends':
          this.single(before as SingleSendRow | null, after as SingleSendRow);
          break;
        case 'messages':
          this.message(before as MessageState | null, after as MessageState);
      }
    }
    for (const id of jobs) this.countersEqualRows(id);
  }

  /** The database was restored: jobs that ended after the copy may end once more. */
  restored(isLive: boolean): void {
    this.mayLackAnswers = isLive;
    this.endings.clear();
    for (const { id, completedAt } of this.server.jobs.committed()) if (completedAt !== null) this.endings.set(id, 1);
  }

  /** A message has the status of its recipient or single send. */
  checkMessageStatus(row: RecipientRow | SingleSendRow, isWritten: boolean): void {
    // Messages of erased people are no longer recorded.
    if ('phone' in row && row.phone === '') return;
    const status = this.server.messages.row(row.messageId).committed?.status;
    const expected = statusesFor(row);
    if (status === undefined ? isWritten : !expected.includes(status)) {
      throw new PromiseBroken(
        'message statuses equal outcomes',
        `${row.messageId} is ${row.outcome ?? 'open'}${row.problem ? ` (${row.problem})` : ''}, its message ${status ?? 'missing'}`,
      );
    }
  }

  private lane(before: LaneRow | null, after: LaneRow): void {
    if (before && after.epoch < before.epoch) throw new PromiseBroken('epochs only grow', after.senderId);
  }

  private job(owner: Life | null, before: JobRow | null, after: JobRow): void {
    if (!before) return;
    const { id } = after;
    const done = (job: JobRow): number => job.successfullySent + job.failed;
    if (after.successfullySent < before.successfullySent || done(after) < done(before)) {
      const progress = `${before.successfullySent}+${before.failed} to ${after.successfullySent}+${after.failed}`;
      throw new PromiseBroken('progress only grows', `${id} from ${progress}`);
    }
    if (after.failed - before.failed < before.successfullySent - after.successfullySent) {
      throw new PromiseBroken('progress only grows', `${id} lost failures without a late proof`);
    }
    if (after.cursor < before.cursor || after.settledBelow < before.settledBelow) {
      throw new PromiseBroken('the cursor only grows', id);
    }
    if (after.settledBelow > after.cursor || after.cursor > after.totalRecipients + 1) {
      throw new PromiseBroken('settled below the cursor, the cursor within the job', id);
    }
    if (after.atRest && !this.needsNoLane(after)) throw new PromiseBroken('jobs at rest need no lane', id);
    if (after.laneEpoch < before.laneEpoch && !after.atRest) throw new PromiseBroken('epochs only grow', id);
    if (owner && !this.isPeopled && isWaiting(before) && isRunning(after)) this.start(before);
    if (after.cursor !== before.cursor) this.claim(owner, before, after);
    if (before.completedAt !== null && (after.completedAt !== before.completedAt || after.status !== before.status)) {
      throw new PromiseBroken('an end is final', id);
    }
    if (before.completedAt === null && after.completedAt !== null) this.end(after);
  }

  /** A paused, scheduled or closed job whose attempts are all answered rests: it has no epoch to claim under. */
  private needsNoLane(job: JobRow): boolean {
    const waits = isWaiting(job) || (isRunning(job) && job.windowOpensAt !== null);
    if (job.laneEpoch !== 0 || !waits || job.settledBelow < job.cursor) return false;
    return this.server.recipientsOf(job.id).every(({ committed }) => committed!.sendingEpoch === null);
  }

  /** Without a request, the service starts only scheduled jobs that are due. */
  private start(before: JobRow): void {
    const { id, scheduledAt, status } = before;
    const isDue = status === 'Scheduled' && scheduledAt !== null && scheduledAt <= this.server.now();
    if (!isDue) throw new PromiseBroken('a schedule starts its job once', `${id} was ${status}`);
  }

  /** Only the owner of the lane claims: under its own epoch, and only from a running job. */
  private claim(owner: Life | null, before: JobRow, after: JobRow): void {
    const lane = this.server.lanes.row(after.senderId).committed;
    if (lane?.owner !== owner?.name || lane?.epoch !== after.laneEpoch) {
      const claimer = `${owner?.name ?? 'no process'} claims from ${after.id} (epoch ${after.laneEpoch})`;
      throw new PromiseBroken('stale epochs claim nothing', `${claimer}, owner ${lane?.owner} epoch ${lane?.epoch}`);
    }
    if (!isRunning(before)) throw new PromiseBroken('pause and cancel are honoured', `${before.status} ${after.id}`);
  }

  private recipient(owner: Life | null, before: RecipientRow, after: RecipientRow): void {
    const what = `${after.messageId}, ${before.outcome ?? 'open'} to ${after.outcome ?? 'open'}`;
    if (before.outcome !== null && FINAL.has(before.outcome) && after.outcome !== before.outcome) {
      throw new PromiseBroken('outcomes are final', what);
    }
    if (before.outcome === 'Unknown' && before.problem !== null && after.outcome === null) {
      throw new PromiseBroken('unknown outcomes are not retried', what);
    }
    if (after.attempt < before.attempt) throw new PromiseBroken('attempts only grow', what);
    if (after.outcome !== null && (after.retryAt !== null || after.sendingEpoch !== null)) {
      throw new PromiseBroken('rows with an outcome wait for nothing', what);
    }
    if (after.attempt > before.attempt && after.sendingEpoch !== null) this.laterClaim(owner, before, after);
    // A takeover writes no messages: unknown ones are recorded with their answer or their end.
    const isUntried = after.attempt === 0 && (after.outcome === 'Skipped' || after.problem === 'expired');
    const isWritten = after.outcome !== null && !isUntried && transactionRecords(before, after);
    if (isWritten) this.checkMessageStatus(after, true);
  }

  private laterClaim(owner: Life | null, before: RecipientRow, after: RecipientRow): void {
    const job = this.server.jobs.row(after.jobId).committed!;
    const lane = this.server.lanes.row(job.senderId).committed;
    if (lane?.owner !== owner?.name || lane?.epoch !== after.sendingEpoch) {
      throw new PromiseBroken('stale epochs claim nothing', `${after.messageId} by ${owner?.name}`);
    }
    if (!isRunning(job)) throw new PromiseBroken('pause and cancel are honoured', `${job.status} ${after.messageId}`);
    if (before.outcome !== null || before.retryAt === null) {
      throw new PromiseBroken('only waiting rows are retried', `${after.messageId} was ${before.outcome ?? 'open'}`);
    }
  }

  private single(before: SingleSendRow | null, after: SingleSendRow): void {
    if (before?.outcome && FINAL.has(before.outcome) && after.outcome !== before.outcome) {
      throw new PromiseBroken('outcomes are final', `${after.messageId} ${before.outcome} to ${after.outcome}`);
    }
    if (before && after.attempt > before.attempt && (before.outcome !== null || before.retryAt === null)) {
      throw new PromiseBroken('only waiting rows are retried', after.messageId);
    }
    this.checkMessageStatus(after, true);
  }

  private message(before: MessageState | null, after: MessageState): void {
    const ranks = ['Sent', 'Undelivered', 'Delivered', 'Read'];
    if (before && ranks.indexOf(after.status) < ranks.indexOf(before.status)) {
      throw new PromiseBroken('statuses never regress', `${after.id} from ${before.status} to ${after.status}`);
    }
  }

  private countersEqualRows(id: string): void {
    const job = this.server.jobs.row(id).committed!;
    if (!isVisible(job)) return;
    const counted = { sent: 0, failed: 0, skipped: 0, unknown: 0, inGrace: 0 };
    for (const { committed } of this.server.recipientsOf(id)) {
      const row = committed!;
      if (row.outcome === 'Sent') counted.sent++;
      if (row.outcome === 'Unknown') counted.unknown++;
      if (row.outcome === 'Skipped') counted.skipped++;
      if (row.outcome === 'Unknown' && row.problem === null) counted.inGrace++;
      else if (row.outcome !== null && row.outcome !== 'Sent') counted.failed++;
      const isAnswered = row.outcome !== null || row.retryAt !== null || row.sendingEpoch !== null;
      if (row.position < job.settledBelow && !isAnswered && !this.mayLackAnswers) {
        throw new PromiseBroken('rows below settled_below are answered', `${id} position ${row.position}`);
      }
    }
    // Recipients of an ended job that were never tried are counted as failed, but not written.
    if (job.completedAt !== null && isEnded(job)) counted.failed = job.totalRecipients - counted.sent;
    const stored = {
      ...{ sent: job.successfullySent, failed: job.failed, skipped: job.skipped, unknown: job.unknown },
      inGrace: job.unknownInGrace,
    };
    if (JSON.stringify(stored) !== JSON.stringify(counted)) {
      const difference = `${id} has ${JSON.stringify(stored)}, its rows ${JSON.stringify(counted)}`;
      throw new PromiseBroken('counters equal rows', difference);
    }
  }

  private end(job: JobRow): void {
    this.endings.set(job.id, (this.endings.get(job.id) ?? 0) + 1);
    if (this.endings.get(job.id)! > 1) throw new PromiseBroken('a job ends once', job.id);
    for (const { committed } of this.server.recipientsOf(job.id)) {
      const isTried = committed!.position < job.cursor;
      const isOpen = committed!.outcome === null && (!isEnded(job) || isTried);
      const isInGrace = committed!.outcome === 'Unknown' && committed!.problem === null;
      if (isOpen || isInGrace) {
        throw new PromiseBroken('a job ends without open rows', `${job.id} position ${committed!.position}`);
      }
    }
  }
}

function transactionRecords(before: RecipientRow, after: RecipientRow): boolean {
  const byTakeover = after.outcome === 'Unknown' && after.problem === null;
  return before.outcome !== after.outcome && !byTakeover;
}

function statusesFor(row: RecipientRow | SingleSendRow): readonly string[] {
  switch (row.outcome) {
    case null:
      return ['Queued'];
    case 'Sent':
      return ['Sent', 'Delivered', 'Read', 'Undelivered'];
    case 'Unknown':
      return row.problem === null ? ['Unknown', 'Queued'] : ['Failed'];
    case 'Cancelled':
      return ['Cancelled'];
    default:
      return ['Failed'];
  }
}
