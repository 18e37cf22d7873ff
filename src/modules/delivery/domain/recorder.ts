import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { TemplateMessage } from '../../chat-history/domain/message';
import { MessageHistory } from '../../chat-history/domain/message-history.service';
import {
  type AttemptAnswer,
  CANCELLED,
  EXPIRED,
  OUTCOME_UNKNOWN,
  type Problem,
  type SendState,
  settle,
} from '../../sending/domain/send-state';
import { TierBudget } from '../../sending/domain/tier-budget.service';
import { messageStatus } from '../../sending/domain/single-sends.service';
import { LaneJournal } from './lane-journal';
import { type CounterChange, LaneStore, type LockedJob, type RecipientState } from './lane-store.port';

/** The answer to one attempt of one recipient of a job. */
export interface RecipientAnswer extends AttemptAnswer {
  jobId: string;
  position: number;
}

const GATHER_MS = 50;
const MAX_ANSWERS = 500;
const SWEEP_LIMIT = 500;

/**
 * Records answers: recipient, counters of the job and history in one transaction, in batches. It holds an answer until
 * it is committed, however long the database is away.
 */
@Injectable()
export class Recorder {
  private readonly answers: GroupCommit<RecipientAnswer, SendState | null>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: LaneStore,
    private readonly history: MessageHistory,
    private readonly tierBudget: TierBudget,
    clock: Clock,
    journal: LaneJournal,
  ) {
    const write = async (answers: RecipientAnswer[]): Promise<(SendState | null)[]> => {
      const begun = clock.monotonic();
      const states = await this.recordNow(answers);
      journal.recorded(answers.length, clock.monotonic() - begun);
      return states;
    };
    this.answers = new GroupCommit(write, {
      maxItems: MAX_ANSWERS,
      gatherMs: GATHER_MS,
      onFailure: 'retry',
      onError: (error) => journal.notRecorded(error),
      clock,
    });
  }

  /** Resolves, once it is committed, with the recipient's state after it; null for a recipient that does not exist. */
  record(answer: RecipientAnswer): Promise<SendState | null> {
    return this.answers.submit(answer);
  }

  /** Answers that are not committed yet. */
  get pending(): number {
    return this.answers.pending;
  }

  /** The database does not take answers now: nothing new is to be claimed. */
  get failing(): boolean {
    return this.answers.failing;
  }

  /** Resolves when every answer is committed. */
  settled(): Promise<void> {
    return this.answers.settled();
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

  private sweep(
    jobId: string,
    which: 'grace over' | 'retry',
    outcome: 'Unknown' | 'Failed' | 'Cancelled',
    problem: Problem,
  ): Promise<void> {
    return this.unitOfWork.run(async () => {
      const { now, jobs } = await this.store.lockWaiting(jobId, which, SWEEP_LIMIT);
      const changes = jobs.flatMap((job) =>
        job.recipients.map((before): Change => {
          const after = { ...before, outcome, problem, retryAt: null, unknownSince: null };
          return { job, before, after, platformId: null };
        }),
      );
      await this.save(changes, now);
    });
  }

  /** Records answers in the surrounding unit of work, or in one of their own; see `record`. */
  recordNow(answers: readonly RecipientAnswer[]): Promise<(SendState | null)[]> {
    return this.unitOfWork.run(async () => {
      const { now, jobs } = await this.store.lockRecipients(answers);
      const states = new Map<string, SendState>();
      const changes = new Map<string, Change>();
      for (const job of jobs) {
        const recipients = new Map(job.recipients.map((recipient) => [recipient.position, recipient]));
        for (const answer of answers) {
          const before = answer.jobId === job.id ? recipients.get(answer.position) : undefined;
          if (!before) continue;
          const key = keyOf(answer);
          const current = changes.get(key)?.after ?? before;
          const next = settle(current, answer, { now, ended: job.ended, waitsForJob: true });
          states.set(key, next ?? current);
          if (!next) continue;
          const platformId = answer.answer.kind === 'accepted' ? answer.answer.platformMessageId : null;
          changes.set(key, { job, before, after: { ...before, ...next }, platformId });
        }
      }
      await this.save([...changes.values()], now);
      return answers.map((answer) => states.get(keyOf(answer)) ?? null);
    });
  }

  /** Locks are taken in one order everywhere: jobs, their recipients, then the messages of all of them. */
  private async save(changes: readonly Change[], now: Date): Promise<void> {
    const byJob = new Map<string, Change[]>();
    for (const change of changes) {
      const others = byJob.get(change.job.id);
      if (others) others.push(change);
      else byJob.set(change.job.id, [change]);
    }
    for (const [jobId, ofJob] of byJob) {
      const recipients = ofJob.map(({ after }) => after).sort((a, b) => a.position - b.position);
      await this.store.saveRecipients(jobId, recipients);
      await this.store.addToCounters(jobId, counterChange(ofJob));
    }
    // What waits for its first answer for good has no place in the history yet; it gets one with its outcome.
    const messages = changes.filter(
      ({ before, after }) => after.attempt > 0 && (after.outcome ?? before.outcome) !== null,
    );
    const inOrder = messages.map((change) => toMessage(change, now)).sort((a, b) => (a.id < b.id ? -1 : 1));
    await this.history.record(
      inOrder.filter(({ contactPhone }) => contactPhone !== ''),
      now,
    );
    // Of a person who was erased the history keeps what became of messages that it has, and the platform's id names them.
    const ofErased = inOrder.filter(({ contactPhone }) => contactPhone === '');
    await this.history.recordOutcomes(
      ofErased.map(({ id, status, problem }) => ({ id, status, problem, platformMessageId: null })),
      now,
    );
    const refused = changes.filter(({ after }) => ['Failed', 'Cancelled', 'Skipped'].includes(after.outcome ?? ''));
    this.tierBudget.giveBackLater(refused.map(({ after }) => after.messageId));
  }
}

interface Change {
  job: LockedJob;
  before: RecipientState;
  after: RecipientState;
  platformId: string | null;
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

function keyOf({ jobId, position }: RecipientAnswer): string {
  return `${jobId}.${position}`;
}

function toMessage({ job, after, platformId }: Change, now: Date): TemplateMessage {
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
    platformMessageId: platformId,
    createdAt: now,
  };
}
