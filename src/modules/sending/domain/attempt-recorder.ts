import type { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import type { UnitOfWork } from '../../../kernel/unit-of-work';
import type { Acceptance } from '../../messages/domain/message';
import { type AttemptAnswer, type SendState, settle, type SettleRules } from './send-state';
import type { TierBudget } from './tier-budget.service';

/** A row before and after; the platform's id of the message, and what it said of it, where an answer told it. */
export interface RowChange<Row> {
  before: Row;
  after: Row;
  platformMessageId: string | null;
  acceptance: Acceptance | null;
}

/** How answers are gathered into batches, and who is notified of the results. */
export interface Gathering {
  /** Names the recording in /health/ready and /metrics. */
  name: string;
  clock: Clock;
  gatherMs: number;
  /** An answer needs only the rows of its message: where these are locked, no other answer waits for them. */
  separatesMessages?: boolean;
  onRecorded?: (answers: number, ms: number) => void;
  onError?: (error: unknown) => void;
}

const MAX_ANSWERS = 500;

/**
 * Records the answers to attempts: rows and history in one transaction, in batches. It holds an answer until it is committed,
 * however long the database is unavailable. Each kind of rows, recipients of jobs and single sends, says how they are locked
 * and written.
 */
export abstract class AttemptRecorder<Answer extends AttemptAnswer, Row extends SendState & { messageId: string }> {
  private readonly answers: GroupCommit<Answer, SendState | null>;

  constructor(
    protected readonly unitOfWork: UnitOfWork,
    protected readonly tierBudget: TierBudget,
    { name, clock, gatherMs, separatesMessages, onRecorded, onError }: Gathering,
  ) {
    const write = async (answers: Answer[], lockWaitMs?: number): Promise<(SendState | null)[]> => {
      const begun = clock.monotonic();
      const states = await this.recordNow(answers, lockWaitMs);
      onRecorded?.(answers.length, clock.monotonic() - begun);
      return states;
    };
    const keyOf = (answer: Answer): string => this.keyOf(answer);
    const separate = separatesMessages && { ownerOf: keyOf, keyOf };
    const options = {
      maxItems: MAX_ANSWERS,
      gatherMs,
      clock,
      ...(separate && { separate }),
      ...(onError && { onError }),
    };
    this.answers = new GroupCommit(write, { ...options, repeatAs: name });
  }

  /** Resolves, once it is committed, with the row's state after it; null for a row that does not exist. */
  record(answer: Answer): Promise<SendState | null> {
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

  /** Records answers in the surrounding unit of work, or in one of their own with this `lockWaitMs`; see `record`. */
  recordNow(answers: readonly Answer[], lockWaitMs?: number): Promise<(SendState | null)[]> {
    return this.unitOfWork.run(async () => {
      const { now, rows } = await this.lock(answers);
      const locked = new Map(rows.map((row) => [this.keyOf(row), row]));
      const changes = new Map<string, RowChange<Row>>();
      for (const answer of answers) {
        const key = this.keyOf(answer);
        const before = locked.get(key);
        if (!before) continue;
        const current = changes.get(key)?.after ?? before;
        const after = settle(current, answer, { now, ...this.rulesOf(before) });
        if (!after) continue;
        const { platformMessageId = null, acceptance = null } = answer.answer.kind === 'accepted' ? answer.answer : {};
        changes.set(key, { before, after, platformMessageId, acceptance });
      }
      await this.save([...changes.values()], now);
      return answers.map((answer) => {
        const key = this.keyOf(answer);
        return changes.get(key)?.after ?? locked.get(key) ?? null;
      });
    }, lockWaitMs);
  }

  /** Moves locked rows to states that no answer has brought, in the surrounding unit of work. */
  protected move(rows: readonly Row[], to: (row: Row) => Row, now: Date): Promise<void> {
    const changes = rows.map((before) => ({ before, after: to(before), platformMessageId: null, acceptance: null }));
    return this.save(changes, now);
  }

  /** Locks the rows that these answers are about; `now` is the database's time. */
  protected abstract lock(answers: readonly Answer[]): Promise<{ now: Date; rows: Row[] }>;
  /** Equal for a row and the answers to its attempts. */
  protected abstract keyOf(of: Answer | Row): string;
  protected abstract rulesOf(row: Row): Omit<SettleRules, 'now'>;
  /** Writes locked rows, and the history with them. */
  protected abstract write(changes: readonly RowChange<Row>[], now: Date): Promise<void>;

  private async save(changes: readonly RowChange<Row>[], now: Date): Promise<void> {
    if (changes.length === 0) return;
    await this.write(changes, now);
    const unsent = changes.filter(({ after }) => ['Failed', 'Cancelled', 'Skipped'].includes(after.outcome ?? ''));
    this.tierBudget.giveBackLater(unsent.map(({ after }) => after.messageId));
  }
}
