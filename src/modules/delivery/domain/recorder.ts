import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { TemplateMessage } from '../../messages/domain/message';
import { personByKey } from '../../groups/domain/opt-out';
import { MessageHistory } from '../../messages/domain/message-history';
import {
  type AttemptAnswer,
  CANCELLED,
  changed,
  ended,
  type EndInsteadOfRetry,
  EXPIRED,
  messageStatus,
  OUTCOME_UNKNOWN,
  type Problem,
  RECIPIENT_ERASED,
  type RowChange,
  type SendState,
  settleAll,
  type SettleRules,
  unsentMessages,
} from '../../sending/domain/send-state';
import { withOwn } from '../../templates/domain/template-extras';
import { TierBudget } from '../../sending/domain/tier-budget';
import { type CounterChange, LaneJobStore, type LockedRecipient } from './lane-job-store.port';
import { LaneTelemetry } from './lane-telemetry';

/** The answer to one attempt of one recipient of a job. */
export interface RecipientAnswer extends AttemptAnswer {
  jobId: string;
  position: number;
}

const MAX_ANSWERS = 500;
const GATHER_MS = 50;
const SWEEP_LIMIT = 500;

/**
 * Records the outcomes of recipients: their rows, the counters of their jobs and the history, in one transaction. Buffers answers until
 * they are committed, for as long as the database is unavailable.
 */
@Injectable()
export class Recorder {
  /** Uncommitted answers; while commits fail, nothing new is claimed. */
  readonly answers: GroupCommit<RecipientAnswer, SendState | null>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly jobs: LaneJobStore,
    private readonly history: MessageHistory,
    private readonly tierBudget: TierBudget,
    private readonly clock: Clock,
    private readonly telemetry: LaneTelemetry,
  ) {
    this.answers = new GroupCommit((answers) => this.recordNow(answers), {
      retryAs: 'recipient_answers',
      maxItems: MAX_ANSWERS,
      gatherMs: GATHER_MS,
      clock,
      onError: (error) => telemetry.notRecorded(error),
    });
  }

  /** Resolves after the commit with the new state of the recipient; null for an unknown recipient. */
  record(answer: RecipientAnswer): Promise<SendState | null> {
    return this.answers.submit(answer);
  }

  /** Records answers in the surrounding unit of work, or in a separate one; see `record`. */
  async recordNow(answers: readonly RecipientAnswer[]): Promise<(SendState | null)[]> {
    const startedAt = this.clock.monotonic();
    const recorded = await this.unitOfWork.run(async () => {
      const { now, rows } = await this.jobs.lock(answers);
      const locked = new Map(rows.map((row) => [keyOf(row), row]));
      const answered = answers.map((answer) => {
        const row = locked.get(keyOf(answer));
        return { row, answer, rules: rulesFor(row, now) };
      });
      const { changes, states } = settleAll(answered);
      await this.save(changes, now);
      return states;
    });
    this.telemetry.recorded(answers.length, this.clock.monotonic() - startedAt);
    return recorded;
  }

  /** Counts a batch of unknown outcomes as failed whose grace time has ended. */
  endGrace(jobId: string): Promise<void> {
    return this.sweep(jobId, 'grace over', 'Unknown', OUTCOME_UNKNOWN);
  }

  /** Fails a batch of recipients that wait for a retry in an expired job. */
  expireWaiting(jobId: string): Promise<void> {
    return this.sweep(jobId, 'retry', 'Failed', EXPIRED);
  }

  /** Cancels a batch of recipients that wait for a retry in an ended job. */
  cancelWaiting(jobId: string): Promise<void> {
    return this.sweep(jobId, 'retry', 'Cancelled', CANCELLED);
  }

  /** Locks are always taken in this order: jobs, recipients, messages. */
  private async save(changes: readonly RowChange<LockedRecipient>[], now: Date): Promise<void> {
    if (changes.length === 0) return;
    for (const jobId of [...new Set(changes.map(({ after }) => after.jobId))].sort()) {
      const ofJob = changes.filter(({ after }) => after.jobId === jobId).map(asCounted);
      const recipients = ofJob.map(({ after }) => after).sort((a, b) => a.position - b.position);
      await this.jobs.save(jobId, recipients, counterChange(ofJob));
    }
    // A message without a first answer is not in the history yet; it is added with its outcome.
    const messages = changes
      .filter(({ before, after }) => after.attempt > 0 && (after.outcome ?? before.outcome) !== null)
      .map((change) => toMessage(change, now))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    await this.history.record(
      messages.filter(({ contactPhone }) => contactPhone !== ''),
      now,
    );
    // The history keeps the outcomes of an erased person's messages, but not the platform's ids, which identify the person.
    const ofErased = messages.filter(({ contactPhone }) => contactPhone === '');
    await this.history.recordOutcomes(
      ofErased.map(({ id, status, problem }) => ({ id, status, problem, platformMessageId: null })),
      now,
    );
    this.tierBudget.giveBackLater(unsentMessages(changes));
  }

  private sweep(
    jobId: string,
    which: 'grace over' | 'retry',
    outcome: 'Unknown' | 'Failed' | 'Cancelled',
    problem: Problem,
  ): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { now, rows } = await this.jobs.lockWaiting(jobId, which, SWEEP_LIMIT);
      const changes = rows.map((row) => changed(row, ended(row, outcome, problem)));
      await this.save(changes, now);
    });
  }
}

function rulesFor(row: LockedRecipient | undefined, now: Date): SettleRules {
  const isUnclaimed = row !== undefined && row.position >= row.job.cursor;
  return { now, insteadOfRetry: row ? endInsteadOfRetry(row) : null, waitsForJob: true, isUnclaimed };
}

/** An Unknown recipient may have been erased, and its job may have ended, before a late answer. */
function endInsteadOfRetry({ job, person }: LockedRecipient): EndInsteadOfRetry | null {
  if (job.ended) return { outcome: 'Cancelled', problem: CANCELLED };
  return person === '' ? { outcome: 'Skipped', problem: RECIPIENT_ERASED } : null;
}

function keyOf({ jobId, position }: { jobId: string; position: number }): string {
  return `${jobId}.${position}`;
}

/** After a restore, a status may prove acceptance for a recipient without an attempt, which the end of the job counted as failed. */
function asCounted(change: RowChange<LockedRecipient>): RowChange<LockedRecipient> {
  const { before } = change;
  if (before.outcome !== null || !before.job.completed) return change;
  return { ...change, before: ended(before, 'Cancelled', CANCELLED) };
}

/** The change of a job's counters when recipients change from one state to another. */
export function counterChange(changes: readonly { before: SendState; after: SendState }[]): CounterChange {
  const sum: CounterChange = { successfullySent: 0, failed: 0, skipped: 0, unknown: 0, unknownInGrace: 0 };
  for (const { before, after } of changes) {
    count(sum, before, -1);
    count(sum, after, 1);
  }
  return sum;
}

function count(sum: CounterChange, state: SendState, by: 1 | -1): void {
  switch (state.outcome) {
    case null:
      return;
    case 'Sent':
      sum.successfullySent += by;
      return;
    case 'Unknown':
      sum.unknown += by;
      if (state.problem) sum.failed += by;
      else sum.unknownInGrace += by;
      return;
    case 'Skipped':
      sum.skipped += by;
      sum.failed += by;
      return;
    case 'Failed':
    case 'Cancelled':
      sum.failed += by;
  }
}

function toMessage({ after, platformMessageId, acceptance }: RowChange<LockedRecipient>, now: Date): TemplateMessage {
  const { job } = after;
  const { phone, userId } = personByKey(after.person, after.userId);
  return {
    type: 'Template',
    id: after.messageId,
    accountId: job.accountId,
    senderId: job.senderId,
    contactPhone: phone,
    contactUserId: userId,
    templateName: job.templateName,
    languageCode: job.languageCode,
    revisionId: job.revisionId,
    parameters: after.parameters,
    extras: withOwn(job.extras, after.own),
    reference: after.reference ?? job.reference,
    jobId: job.id,
    rowNumber: after.rowNumber,
    status: messageStatus(after),
    problem: after.problem,
    platformMessageId,
    acceptance,
    createdAt: now,
  };
}
