import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { TemplateMessage } from '../../messages/domain/message';
import { MessageHistory } from '../../messages/domain/message-history.service';
import { AttemptRecorder, type RowChange } from '../../sending/domain/attempt-recorder';
import {
  type AttemptAnswer,
  CANCELLED,
  ended,
  EXPIRED,
  messageStatus,
  OUTCOME_UNKNOWN,
  type Problem,
  type SendState,
  type SettleRules,
} from '../../sending/domain/send-state';
import { TierBudget } from '../../sending/domain/tier-budget.service';
import { type CounterChange, LaneJobStore, type LockedRecipient, type LockedRecipients } from './lane-job-store.port';
import { LaneTelemetry } from './lane-telemetry';

/** The answer to one attempt of one recipient of a job. */
export interface RecipientAnswer extends AttemptAnswer {
  jobId: string;
  position: number;
}

const GATHER_MS = 50;
const SWEEP_LIMIT = 500;

/** Records what becomes of recipients: their rows, the counters of their jobs and the history in one transaction. */
@Injectable()
export class Recorder extends AttemptRecorder<RecipientAnswer, LockedRecipient> {
  constructor(
    unitOfWork: UnitOfWork,
    private readonly jobs: LaneJobStore,
    private readonly history: MessageHistory,
    tierBudget: TierBudget,
    clock: Clock,
    telemetry: LaneTelemetry,
  ) {
    super(unitOfWork, tierBudget, {
      name: 'recipient_answers',
      clock,
      gatherMs: GATHER_MS,
      onRecorded: (answers, ms) => telemetry.recorded(answers, ms),
      onError: (error) => telemetry.notRecorded(error),
    });
  }

  /** Unknown outcomes whose grace time is over count as failed: a batch of them. */
  endGrace(jobId: string): Promise<void> {
    return this.sweep(jobId, 'grace over', 'Unknown', OUTCOME_UNKNOWN);
  }

  /** What waits in a job whose validity is over fails: a batch of it. */
  expireWaiting(jobId: string): Promise<void> {
    return this.sweep(jobId, 'retry', 'Failed', EXPIRED);
  }

  /** What waits in a job that ended is cancelled: a batch of it. */
  cancelWaiting(jobId: string): Promise<void> {
    return this.sweep(jobId, 'retry', 'Cancelled', CANCELLED);
  }

  protected lock(answers: readonly RecipientAnswer[]): Promise<LockedRecipients> {
    return this.jobs.lock(answers);
  }

  protected keyOf({ jobId, position }: { jobId: string; position: number }): string {
    return `${jobId}.${position}`;
  }

  protected rulesOf({ job }: LockedRecipient): Omit<SettleRules, 'now'> {
    return { ended: job.ended, waitsForJob: true };
  }

  /** Locks are taken in one order everywhere: jobs, their recipients, then the messages of all of them. */
  protected async write(changes: readonly RowChange<LockedRecipient>[], now: Date): Promise<void> {
    for (const jobId of [...new Set(changes.map(({ after }) => after.jobId))].sort()) {
      const ofJob = changes.filter(({ after }) => after.jobId === jobId).map(asCounted);
      const recipients = ofJob.map(({ after }) => after).sort((a, b) => a.position - b.position);
      await this.jobs.save(jobId, recipients, counterChange(ofJob));
    }
    // What waits for its first answer has no place in the history yet; it gets one with its outcome.
    const messages = changes
      .filter(({ before, after }) => after.attempt > 0 && (after.outcome ?? before.outcome) !== null)
      .map((change) => toMessage(change, now))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    await this.history.record(
      messages.filter(({ contactPhone }) => contactPhone !== ''),
      now,
    );
    // Of a person who was erased the history keeps the outcomes of its messages, but not the platform's id, which names them.
    const ofErased = messages.filter(({ contactPhone }) => contactPhone === '');
    await this.history.recordOutcomes(
      ofErased.map(({ id, status, problem }) => ({ id, status, problem, platformMessageId: null })),
      now,
    );
  }

  private sweep(
    jobId: string,
    which: 'grace over' | 'retry',
    outcome: 'Unknown' | 'Failed' | 'Cancelled',
    problem: Problem,
  ): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { now, rows } = await this.jobs.lockWaiting(jobId, which, SWEEP_LIMIT);
      await this.move(rows, (row) => ended(row, outcome, problem), now);
    });
  }
}

/** After a restore a proof may come for who was never tried, as far as the database knows: the end of the job counted them as failed. */
function asCounted(change: RowChange<LockedRecipient>): RowChange<LockedRecipient> {
  const { before } = change;
  if (before.outcome !== null || !before.job.completed) return change;
  return { ...change, before: ended(before, 'Cancelled', CANCELLED) };
}

/** What moving recipients from one state to another adds to the counters of their job. */
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
  return {
    type: 'Template',
    id: after.messageId,
    accountId: job.accountId,
    contactPhone: after.phone,
    templateName: job.templateName,
    languageCode: job.languageCode,
    revisionId: job.revisionId,
    parameters: after.parameters,
    extras: job.extras,
    reference: job.reference,
    jobId: job.id,
    rowNumber: after.rowNumber,
    status: messageStatus(after),
    problem: after.problem,
    platformMessageId,
    acceptance,
    createdAt: now,
  };
}
