import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { MessageHistory } from '../../messages/domain/message-history.service';
import { AttemptRecorder } from '../../sending/domain/attempt-recorder';
import {
  CANCELLED,
  ended,
  EXPIRED,
  OUTCOME_UNKNOWN,
  type Problem,
  type SendState,
} from '../../sending/domain/send-state';
import { TierBudget } from '../../sending/domain/tier-budget.service';
import { LaneJobStore } from './lane-job-store.port';
import { LaneTelemetry } from './lane-telemetry';
import { type LockedRecipient, type RecipientAnswer, RecipientRows } from './recipient-rows';
import { RecipientStore } from './recipient-store.port';

const GATHER_MS = 50;
const SWEEP_LIMIT = 500;

/** Records what becomes of recipients: their rows, the counters of their jobs and the history in one transaction. */
@Injectable()
export class Recorder {
  private readonly rows: RecipientRows;
  private readonly attempts: AttemptRecorder<RecipientAnswer, LockedRecipient>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    jobs: LaneJobStore,
    recipients: RecipientStore,
    history: MessageHistory,
    tierBudget: TierBudget,
    clock: Clock,
    telemetry: LaneTelemetry,
  ) {
    this.rows = new RecipientRows(jobs, recipients, history);
    this.attempts = new AttemptRecorder(this.rows, unitOfWork, tierBudget, {
      clock,
      gatherMs: GATHER_MS,
      onRecorded: (answers, ms) => telemetry.recorded(answers, ms),
      onError: (error) => telemetry.notRecorded(error),
    });
  }

  /** See AttemptRecorder.record. */
  record(answer: RecipientAnswer): Promise<SendState | null> {
    return this.attempts.record(answer);
  }

  /** See AttemptRecorder.recordNow. */
  recordNow(answers: readonly RecipientAnswer[]): Promise<(SendState | null)[]> {
    return this.attempts.recordNow(answers);
  }

  /** Answers that are not committed yet. */
  get pending(): number {
    return this.attempts.pending;
  }

  /** The database does not take answers now: nothing new is to be claimed. */
  get failing(): boolean {
    return this.attempts.failing;
  }

  /** Resolves when every answer is committed. */
  settled(): Promise<void> {
    return this.attempts.settled();
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
      const { now, rows } = await this.rows.lockWaiting(jobId, which, SWEEP_LIMIT);
      await this.attempts.move(rows, (row) => ended(row, outcome, problem), now);
    });
  }
}
