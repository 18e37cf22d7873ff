import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { Loop } from '../../../kernel/loop';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { StatusChange, StatusUpdate } from '../../messages/domain/status-update';
import { readAttemptTrace } from '../../sending/domain/attempt-trace';
import { SenderSignal } from '../../sending/domain/sender-signal';
import { JobStatusStore, type NamedRecipient, type StatusDelta } from './job-status-store.port';
import { type JobStop, MAX_REFUSALS_IN_ROW, refusedByPlatform, refusedInRow } from './job-stop';
import { LaneTelemetry } from './lane-telemetry';
import { type RecipientAnswer, Recorder } from './recorder';

const FOLD_EVERY_MS = 1000;
const FOLD_LIMIT = 2000;
/** Maximum number of jobs whose consecutive failures are counted. */
const MAX_JOBS = 1000;

interface Proof {
  recipient: NamedRecipient;
  answer: RecipientAnswer;
}

/** Applies statuses to jobs: they prove acceptance, are counted, and can stop the whole job. */
@Injectable()
export class JobStatuses {
  private readonly folding: Loop;
  private readonly failuresInRow = new Map<string, number>();

  constructor(
    private readonly store: JobStatusStore,
    private readonly recorder: Recorder,
    private readonly signal: SenderSignal,
    private readonly unitOfWork: UnitOfWork,
    clock: Clock,
    private readonly telemetry: LaneTelemetry,
  ) {
    this.folding = new Loop({
      name: 'job_statuses',
      clock,
      everyMs: FOLD_EVERY_MS,
      round: (stopped) => this.fold(stopped),
      failed: (error) => telemetry.failed(null, error),
    });
  }

  /**
   * A status proves that the platform accepted the message: settles the unsettled recipients of these updates, in the surrounding unit
   * of work. Callback data that names a recipient of another sender is ignored.
   */
  async settle(updates: readonly StatusUpdate[]): Promise<void> {
    const proofs = proofsIn(updates);
    if (proofs.size === 0) return;
    // Nearly all recipients are settled already: these are neither locked nor written.
    const unsettled = await this.store.unsettled([...proofs.values()].map(({ recipient }) => recipient));
    if (unsettled.length === 0) return;
    const proved = unsettled.map((recipient) => ({ ...recipient, ...proofs.get(keyOf(recipient))! }));
    await this.recorder.recordNow(proved.map(({ answer }) => answer));
    // One of them may be the last open recipient of a job, which only its lane ends.
    const senders = new Set(proved.filter(({ wasUnknown }) => wasUnknown).map(({ recipient }) => recipient.senderId));
    this.unitOfWork.afterCommit(() => senders.forEach((senderId) => this.signal.runnable(senderId)));
  }

  /**
   * Counts changes in the surrounding unit of work. After the commit, stops jobs for failures reported after acceptance, by the same
   * rules as for immediate refusals: for a failure of the whole job, and after MAX_REFUSALS_IN_ROW failed messages without a delivery
   * between them. Many problems, such as unusable media or a failed payment, are usually reported only in this way. Each process counts
   * the failures that it receives.
   */
  async apply(changes: readonly StatusChange[]): Promise<void> {
    const deltas = deltasOf(changes);
    // Deltas are stored separately and added once a second: thousands of reports would wait for the one row of the job.
    if (deltas.length > 0) await this.store.addDeltas(deltas);
    // After the commit: messages are locked in this unit of work, and jobs must be locked before messages.
    if (changes.length > 0) this.unitOfWork.afterCommit(() => this.stopJobs(changes));
  }

  /** Starts adding deltas to jobs. */
  start(): void {
    this.folding.start();
  }

  /** Resolves after the current round; remaining deltas are added after the next start. */
  stop(): Promise<void> {
    return this.folding.stop();
  }

  private async fold(stopped: AbortSignal): Promise<void> {
    while ((await this.store.foldDeltas(FOLD_LIMIT)) === FOLD_LIMIT && !stopped.aborted);
  }

  private stopJobs(changes: readonly StatusChange[]): void {
    const stops = new Map<string, JobStop>();
    for (const change of changes) {
      const stop = this.reasonToStop(change);
      if (change.jobId !== null && stop) stops.set(change.jobId, stop);
    }
    for (const [jobId, stop] of stops) void this.stopJob(jobId, stop);
  }

  private reasonToStop({ jobId, problem, scope }: StatusChange): JobStop | null {
    if (jobId === null) return null;
    // A failure of one recipient does not affect the others, as with an immediate refusal.
    if (problem === null) this.failuresInRow.delete(jobId);
    if (problem === null || scope === 'recipient') return null;
    const { code, message, platformCode } = problem;
    if (scope === 'job') return refusedByPlatform(code, message, platformCode);
    const inRow = (this.failuresInRow.get(jobId) ?? 0) + 1;
    this.failuresInRow.delete(jobId);
    if (inRow >= MAX_REFUSALS_IN_ROW) return refusedInRow(message, platformCode);
    this.failuresInRow.set(jobId, inRow);
    if (this.failuresInRow.size > MAX_JOBS) this.failuresInRow.delete(this.failuresInRow.keys().next().value!);
    return null;
  }

  private async stopJob(jobId: string, stop: JobStop): Promise<void> {
    try {
      const stopped = await this.store.stop(jobId, stop);
      if (stopped) this.telemetry.stopped(stopped, stop);
    } catch (error) {
      // The next failures of the job stop it.
      this.telemetry.failed(null, error);
    }
  }
}

function proofsIn(updates: readonly StatusUpdate[]): Map<string, Proof> {
  const proofs = new Map<string, Proof>();
  for (const { callbackData, platformMessageId, senderId } of updates) {
    const sent = readAttemptTrace(callbackData);
    if (!sent?.recipient) continue;
    const { messageId, attempt } = sent;
    const recipient = { ...sent.recipient, messageId, senderId };
    const answer: RecipientAnswer = { ...sent.recipient, attempt, answer: { kind: 'accepted', platformMessageId } };
    proofs.set(keyOf(recipient), { recipient, answer });
  }
  return proofs;
}

function keyOf({ jobId, position }: { jobId: string; position: number }): string {
  return `${jobId}.${position}`;
}

/** The changes of job counters; a read message is also delivered. */
export function deltasOf(changes: readonly StatusChange[]): StatusDelta[] {
  const deltas = new Map<string, StatusDelta>();
  for (const { jobId, before, after } of changes) {
    if (jobId === null) continue;
    const delta = deltas.get(jobId) ?? { jobId, delivered: 0, read: 0, undelivered: 0 };
    deltas.set(jobId, delta);
    count(delta, before, -1);
    count(delta, after, 1);
  }
  return [...deltas.values()].filter(({ delivered, read, undelivered }) => delivered || read || undelivered);
}

function count(delta: StatusDelta, status: StatusChange['after'], by: 1 | -1): void {
  if (status === 'Delivered' || status === 'Read') delta.delivered += by;
  if (status === 'Read') delta.read += by;
  if (status === 'Undelivered') delta.undelivered += by;
}
