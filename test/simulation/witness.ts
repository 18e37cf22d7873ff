import type { JobRow, RecipientRow, SingleSendRow } from '../fakes/engine-rows';
import type { CommitChecks } from './commit-checks';
import type { Change, HistoryDatabase } from './history-database';
import { isClosed, isHeld, isRunning } from '../fakes/lane-rows';
import type { Life } from './life';
import type { LossChecks } from './loss-checks';
import { PromiseBroken } from './promise-broken';
import type { Flight, PlatformWitness, StatusNotice } from './simulated-platform';

const STOPPED_MS = 2500;
const STATE_MS = 5000;
const MIN_FLIGHTS = 8;
const FAIR_TURNS = 10;

/** Records everything that happens in a history, as the basis of the final checks. */
export class Witness implements PlatformWitness {
  readonly flights = new Map<string, Flight>();
  /** Requests in flight, and when one of them was last answered. */
  readonly open = new Set<Flight>();
  lastAnswerAt = -Infinity;
  /** Notices that the service acknowledged. */
  readonly acknowledged: StatusNotice[] = [];
  /** Senders that the operator stopped, and since when. */
  readonly stoppedSince = new Map<string, number>();
  /** Unfinished jobs and single sends of a restored database, and the jobs resumed since by a person. */
  readonly waiting = new Set<string>();
  readonly resumed = new Set<string>();
  /** Jobs reported as started on schedule. */
  private readonly started = new Set<string>();
  /** Statuses of the restored database: a notice may be committed in the copy, and acknowledged after it. */
  readonly restoredStatuses = new Map<string, string>();
  private acknowledgedInCopy = 0;
  /** Messages requested before the restore, and later claims that the proof of such a request overtook. */
  private readonly sentBeforeRestore = new Set<string>();
  private readonly overtaken = new Set<string>();
  private readonly statusSince = new Map<string, number>();
  private readonly timingSince = new Map<string, number>();
  private readonly openOfLane = new Map<string, number>();
  /** Claims of other jobs since the last turn of a job that could send; each owner of a lane begins with the oldest job. */
  private readonly waits = new Map<string, { epoch: number; turns: number }>();

  constructor(
    private readonly server: HistoryDatabase,
    private readonly commits: CommitChecks,
    private readonly trace: (line: () => string) => void,
    private readonly longestAnswerMs: number,
    /** Null if no transactions get lost. */
    readonly losses: LossChecks | null,
  ) {}

  /** The database was copied. */
  copied(): void {
    this.acknowledgedInCopy = this.acknowledged.length;
  }

  /** The database is about to be restored. */
  restoring(): void {
    this.losses?.losing(this.flights.values());
  }

  /** The database was restored: only the platform remembers what happened after the copy. */
  restored(): void {
    this.acknowledged.length = this.acknowledgedInCopy;
    for (const { id, status } of this.server.messages.committed()) this.restoredStatuses.set(id, status.toLowerCase());
    for (const { messageId } of this.flights.values()) this.sentBeforeRestore.add(messageId);
    this.flights.clear();
    this.statusSince.clear();
    this.waits.clear();
    this.resumed.clear();
    this.started.clear();
    this.commits.restored(this.losses !== null);
    for (const { id, completedAt } of this.server.jobs.committed()) if (completedAt === null) this.waiting.add(id);
    for (const { messageId, outcome } of this.server.singles.committed()) {
      if (outcome === null) this.waiting.add(messageId);
    }
  }

  committed(owner: Life | null, changes: Change[]): void {
    this.trace(
      () => `  commit ${changes.map(({ row, before, after }) => describe(row.key, before, after)).join('; ')}`,
    );
    for (const { row, before, after } of changes) {
      if (row.table === 'job_recipients') this.recipientChanged(before as RecipientRow, after as RecipientRow);
      if (row.table !== 'bulk_jobs') continue;
      const [from, to] = [before as JobRow | null, after as JobRow];
      if (from?.status !== to.status) this.statusSince.set(to.id, this.server.scheduler.now);
      if (from && from.cursor !== to.cursor) this.checkTurns(to);
      if (from && (from.sendFrom !== to.sendFrom || from.scheduledAt !== to.scheduledAt))
        this.timingSince.set(to.id, this.server.scheduler.now);
    }
    this.commits.check(owner, changes);
  }

  private recipientChanged(before: RecipientRow, after: RecipientRow): void {
    const { jobId, messageId, position } = after;
    if (isLaterClaim(before, after)) this.waits.delete(jobId);
    const isProof = before.outcome === null && before.retryAt === null && after.outcome === 'Sent';
    if (!isProof || !this.sentBeforeRestore.has(messageId)) return;
    // A claim of a resumed job is still sent, although its proof has arrived meanwhile.
    const { cursor, settledBelow } = this.server.jobs.row(jobId).committed!;
    const isFirst = before.attempt === 0 && position < cursor && position >= settledBelow;
    const claimed = isFirst ? 1 : before.attempt;
    const isClaimed = isFirst || before.sendingEpoch !== null;
    if (isClaimed && this.resumed.has(jobId)) this.overtaken.add(`${messageId}.${claimed}`);
  }

  /** The schedule may have changed. */
  rescheduled(jobId: string): void {
    this.started.delete(jobId);
  }

  /** A process reports the scheduled start of a job. */
  startedAsScheduled(jobId: string): void {
    if (this.started.has(jobId) && !this.losses?.isPending)
      throw new PromiseBroken('a schedule starts its job once', jobId);
    this.started.add(jobId);
  }

  departed(flight: Flight): void {
    this.trace(() => `${flight.life.name}: sends ${flight.callbackData}`);
    const { callbackData, messageId, attempt } = flight;
    const jobId = callbackData.split('.')[2];
    this.losses?.departed(flight, this.resumed.has(jobId ?? messageId));
    try {
      this.checkDeparture(flight);
    } catch (error) {
      if (!this.losses?.isPending) throw error;
      this.losses.add(flight);
      this.flights.delete(`${messageId}.${attempt}`);
    }
    if (jobId !== undefined) this.countFlights(flight);
  }

  private checkDeparture(flight: Flight): void {
    if (this.flights.has(`${flight.messageId}.${flight.attempt}`)) {
      throw new PromiseBroken('an attempt is sent once', flight.callbackData);
    }
    this.flights.set(`${flight.messageId}.${flight.attempt}`, flight);
    this.open.add(flight);
    const stoppedSince = this.stoppedSince.get(flight.sender.id);
    const { now } = this.server.scheduler;
    if (stoppedSince !== undefined && now - stoppedSince > STOPPED_MS && !flight.life.wasFrozenSince(now - 3000)) {
      throw new PromiseBroken('the emergency stop is honoured', flight.callbackData);
    }
    const [, , jobId, position] = flight.callbackData.split('.');
    const waiting = jobId ?? flight.messageId;
    if (this.waiting.has(waiting) && !this.resumed.has(waiting)) {
      throw new PromiseBroken('restored work waits for a person', flight.callbackData);
    }
    if (jobId === undefined) return this.singleDeparted(flight);
    this.recipientDeparted(flight, jobId, Number(position));
  }

  accepted(flight: Flight): void {
    this.trace(() => `platform accepts ${flight.callbackData}`);
  }

  answered(flight: Flight): void {
    this.trace(() => `${flight.life.name}: receives ${flight.answer!.kind} for ${flight.callbackData}`);
    this.open.delete(flight);
    this.lastAnswerAt = this.server.scheduler.now;
    const lane = laneKey(flight);
    if (flight.callbackData.split('.').length > 2) this.openOfLane.set(lane, (this.openOfLane.get(lane) ?? 1) - 1);
  }

  private recipientDeparted(flight: Flight, jobId: string, position: number): void {
    const job = this.server.jobs.row(jobId).committed!;
    const row = this.server.recipientsOf(jobId)[position - 1]!.committed!;
    const lane = this.server.lanes.row(job.senderId).committed;
    if (lane?.owner !== flight.life.name) {
      throw new PromiseBroken('stale epochs send nothing', `${flight.callbackData} by ${flight.life.name}`);
    }
    const isClaimed =
      row.outcome === null &&
      row.retryAt === null &&
      (flight.attempt === 1
        ? row.attempt <= 1 && position < job.cursor && position >= job.settledBelow
        : row.attempt === flight.attempt && row.sendingEpoch === lane.epoch);
    const isIntended = isClaimed || this.overtaken.has(`${flight.messageId}.${flight.attempt}`);
    if (!isIntended || job.laneEpoch !== lane.epoch) {
      const state = `${row.outcome ?? 'open'} attempt ${row.attempt} epoch ${row.sendingEpoch} cursor ${job.cursor}`;
      throw new PromiseBroken(
        'claims are committed before sending',
        `${flight.callbackData} was sent while the database has ${state}`,
      );
    }
    const { now } = this.server.scheduler;
    const since = this.statusSince.get(jobId) ?? 0;
    const { validUntil } = job;
    const overAt = validUntil === null ? Infinity : validUntil.getTime() - this.server.now().getTime() + now;
    if (now - overAt > STATE_MS && !flight.life.wasFrozenSince(overAt)) {
      throw new PromiseBroken('validity is honoured', `${flight.callbackData} ${now - overAt} ms after its end`);
    }
    this.checkTiming(flight, job);
    if (!isRunning(job) && now - since > STATE_MS && !flight.life.wasFrozenSince(since)) {
      throw new PromiseBroken('pause and cancel are honoured', `${flight.callbackData} of a job that is ${job.status}`);
    }
  }

  /** Nothing is sent before the schedule of its job, or some time after its send window has closed. */
  private checkTiming(flight: Flight, job: JobRow): void {
    const moment = this.server.now();
    const before = this.server.scheduler.now - STATE_MS;
    // Rows claimed just before the change may still be sent.
    if ((this.timingSince.get(job.id) ?? -Infinity) > before) return;
    if (job.scheduledAt !== null && job.scheduledAt > moment) {
      throw new PromiseBroken('nothing is sent before its schedule', flight.callbackData);
    }
    const wasClosed = isClosed(job, moment.getTime()) && isClosed(job, moment.getTime() - STATE_MS);
    if (wasClosed && !flight.life.wasFrozenSince(before)) {
      throw new PromiseBroken('nothing is sent outside its send window', flight.callbackData);
    }
  }

  private singleDeparted(flight: Flight): void {
    const row: SingleSendRow | null = this.server.singles.row(flight.messageId).committed;
    const lane = row && this.server.lanes.row(row.senderId).committed;
    const isDirect = row?.sendingEpoch === null && row.attempt === 1;
    const isByLane = row?.sendingEpoch !== null && row?.sendingEpoch === lane?.epoch;
    const isOwned = isDirect || (isByLane && lane?.owner === flight.life.name);
    const isIntended =
      row?.attempt === flight.attempt && row.outcome === null && row.retryAt === null && row.giveUpAt !== null;
    if (!isIntended)
      throw new PromiseBroken('claims are committed before sending', `${flight.callbackData}: ${JSON.stringify(row)}`);
    if (!isOwned) throw new PromiseBroken('stale epochs send nothing', `${flight.callbackData} by ${flight.life.name}`);
  }

  private countFlights(flight: Flight): void {
    const lane = laneKey(flight);
    const open = (this.openOfLane.get(lane) ?? 0) + 1;
    this.openOfLane.set(lane, open);
    // As many as the pace allows in 2 s, or in 1.25 times the longest response time.
    const seconds = Math.max(2, (1.25 * this.longestAnswerMs) / 1000);
    const most = Math.max(MIN_FLIGHTS, Math.ceil(seconds * flight.sender.messagesPerSecond));
    if (open > most) throw new PromiseBroken('memory is bounded', `${open} requests of ${lane} are in flight`);
  }

  /** Jobs of a sender take turns while each of them can send. */
  private checkTurns(job: JobRow): void {
    this.waits.delete(job.id);
    const { now } = this.server.scheduler;
    for (const other of this.server.jobs.committed()) {
      if (other.senderId !== job.senderId || other.id === job.id) continue;
      const moment = this.server.now().getTime();
      const hasFirst = other.cursor <= other.totalRecipients && !isHeld(other, moment) && !isClosed(other, moment);
      const canSend = isRunning(other) && hasFirst && other.laneEpoch === job.laneEpoch;
      const isNew = now - (this.statusSince.get(other.id) ?? 0) < STATE_MS;
      const { epoch, turns: before } = this.waits.get(other.id) ?? { epoch: other.laneEpoch, turns: 0 };
      const turns = canSend && !isNew && epoch === other.laneEpoch ? before + 1 : 0;
      this.waits.set(other.id, { epoch: other.laneEpoch, turns });
      if (turns > FAIR_TURNS) throw new PromiseBroken('jobs take turns', `${other.id} waits while ${job.id} continues`);
    }
  }
}

function laneKey(flight: Flight): string {
  return `${flight.life.name} ${flight.sender.id}`;
}

function isLaterClaim(before: RecipientRow, after: RecipientRow): boolean {
  return after.sendingEpoch !== null && after.attempt > before.attempt;
}

/** Describes the changes of a row. */
function describe(key: string, before: object | null, after: object): string {
  const old = (before ?? {}) as Record<string, unknown>;
  const changed = Object.entries(after).filter(([name, value]) => String(old[name]) !== String(value));
  return `${key} ${changed.map(([name, value]) => `${name}=${shown(value)}`).join(' ')}`;
}

function shown(value: unknown): string {
  if (value instanceof Date) return value.toISOString().slice(14, 23);
  return JSON.stringify(value);
}
