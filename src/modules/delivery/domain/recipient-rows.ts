import type { TemplateMessage } from '../../messages/domain/message';
import type { MessageHistory } from '../../messages/domain/message-history.service';
import type { RowChange, SendRows } from '../../sending/domain/attempt-recorder';
import { type AttemptAnswer, messageStatus, type SendState, type SettleRules } from '../../sending/domain/send-state';
import type { CounterChange, LaneJobStore, LockedJob } from './lane-job-store.port';
import type { RecipientState, RecipientStore } from './recipient-store.port';

/** The answer to one attempt of one recipient of a job. */
export interface RecipientAnswer extends AttemptAnswer {
  jobId: string;
  position: number;
}

/** A recipient under the lock of its job. */
export interface LockedRecipient extends RecipientState {
  job: LockedJob;
}

/** Recipients of jobs as rows whose attempts are recorded: with them the counters of their jobs change. */
export class RecipientRows implements SendRows<RecipientAnswer, LockedRecipient> {
  constructor(
    private readonly jobs: LaneJobStore,
    private readonly recipients: RecipientStore,
    private readonly history: MessageHistory,
  ) {}

  lock(answers: readonly RecipientAnswer[]): Promise<{ now: Date; rows: LockedRecipient[] }> {
    const jobIds = [...new Set(answers.map(({ jobId }) => jobId))];
    return this.locked(jobIds, () => this.recipients.at(answers));
  }

  /** Locks at most `limit` recipients of a job whose grace time is over, or that wait for a retry. */
  lockWaiting(
    jobId: string,
    which: 'grace over' | 'retry',
    limit: number,
  ): Promise<{ now: Date; rows: LockedRecipient[] }> {
    return this.locked([jobId], () => this.recipients.waiting(jobId, which, limit));
  }

  keyOf({ jobId, position }: { jobId: string; position: number }): string {
    return `${jobId}.${position}`;
  }

  rulesOf({ job }: LockedRecipient): Omit<SettleRules, 'now'> {
    return { ended: job.ended, waitsForJob: true };
  }

  /** Locks are taken in one order everywhere: jobs, their recipients, then the messages of all of them. */
  async save(changes: readonly RowChange<LockedRecipient>[], now: Date): Promise<void> {
    for (const jobId of [...new Set(changes.map(({ after }) => after.jobId))].sort()) {
      const ofJob = changes.filter(({ after }) => after.jobId === jobId);
      const recipients = ofJob.map(({ after }) => after).sort((a, b) => a.position - b.position);
      await this.recipients.save(jobId, recipients);
      await this.jobs.addToCounters(jobId, counterChange(ofJob));
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

  private async locked(
    jobIds: readonly string[],
    read: () => Promise<RecipientState[]>,
  ): Promise<{ now: Date; rows: LockedRecipient[] }> {
    const { now, jobs } = await this.jobs.lock(jobIds);
    const byId = new Map(jobs.map((job) => [job.id, job]));
    const rows = (await read()).flatMap((recipient) => {
      const job = byId.get(recipient.jobId);
      return job ? [{ ...recipient, job }] : [];
    });
    return { now, rows };
  }
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

function toMessage({ after, platformMessageId }: RowChange<LockedRecipient>, now: Date): TemplateMessage {
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
    headerMedia: job.headerMedia,
    reference: job.reference,
    jobId: job.id,
    rowNumber: after.rowNumber,
    status: messageStatus(after),
    problem: after.problem,
    platformMessageId,
    createdAt: now,
  };
}
