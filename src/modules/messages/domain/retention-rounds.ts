import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { uuidV7 } from '../../../kernel/uuid';
import { AccountDeletion } from '../../accounts/domain/account-deletion';
import type { DeletedAccount } from '../../accounts/domain/account';
import { HistoryTerms } from '../../accounts/domain/history-terms';
import { HistoryPartitions } from './history-partitions.port';
import type { RetentionPart, RetentionStep, UpkeepPart } from './retention';
import { RetentionTelemetry } from './retention-telemetry';
import { RetentionTurns } from './retention-turns.port';

const DAY_MS = 86_400_000;
/** Rows per transaction: the embedded database has one connection, and all other work waits for it. */
const STEP_SIZE = 500;
/** Minimum pause after each step, for other work; after a longer step the pause is as long as the step. */
const PAUSE_MS = 50;
const LEASE_SECONDS = 60;
const RENEW_EVERY_MS = 15_000;
const ROUND_EVERY_SECONDS = 3_600;
/** How long a round deletes the data of deleted accounts, which may be a hundred million rows; the next one continues. */
const REMOVAL_MS = 300_000;
/** The retention when no account exists. */
const LONGEST_DAYS = 730;
/** Consecutive failures after which the database counts as unavailable: the round stops and is retried soon. */
const FAILURES_IN_A_ROW = 10;

/** Another process has taken the lease, this process is stopping, or the database is unavailable. */
class RoundStoppedError extends Error {}

/**
 * Deletes expired data: in one process at a time, in small steps with pauses, so that other work is not delayed. Each
 * step is a transaction, so a round can stop at any time and the next one continues.
 */
@Injectable()
export class Retention {
  private readonly owner = uuidV7();
  private readonly parts: RetentionPart[] = [];
  private readonly upkeep: UpkeepPart[] = [];

  constructor(
    private readonly terms: HistoryTerms,
    private readonly turns: RetentionTurns,
    private readonly partitions: HistoryPartitions,
    private readonly telemetry: RetentionTelemetry,
    private readonly clock: Clock,
    private readonly deletion: AccountDeletion,
  ) {}

  /** Adds a kind of data that every round deletes, account by account, in the order of adding. */
  add(part: RetentionPart): void {
    this.parts.push(part);
  }

  /** Adds data that every round deletes, independent of accounts. */
  addUpkeep(part: UpkeepPart): void {
    this.upkeep.push(part);
  }

  /**
   * Runs a round if one is due, or deletes data of deleted accounts if there are any, unless another process does; returns whether it
   * completed. `signal` stops it early.
   */
  async round(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    const deleted = await this.deletion.due();
    const turn = await this.turns.take(this.owner, LEASE_SECONDS, deleted.length > 0);
    if (!turn) return false;
    const round = new Round(this.clock, signal, () => this.turns.renew(this.owner, LEASE_SECONDS));
    // If it stops, due immediately: another process, or the next start, continues.
    let dueInSeconds = turn.isDue ? 0 : null;
    try {
      if (turn.isDue) {
        await this.deleteExpired(round);
        dueInSeconds = ROUND_EVERY_SECONDS;
      }
      await this.deleteAccounts(round, deleted);
    } catch (error) {
      if (!(error instanceof RoundStoppedError)) throw error;
      await this.turns.end(this.owner, dueInSeconds);
      return false;
    }
    await this.turns.end(this.owner, dueInSeconds);
    if (turn.isDue || round.counts.size > 0) this.telemetry.finished(round.counts, round.seconds, round.failures);
    return true;
  }

  private async deleteExpired(round: Round): Promise<void> {
    const terms = await this.terms.all();
    const now = this.clock.now().getTime();
    const before = (days: number): Date => new Date(now - days * DAY_MS);
    for (const { accountId, retentionDays } of terms) {
      const expiry = { accountId, before: before(retentionDays) };
      for (const part of this.parts) {
        await this.attempt(round, part.kind, accountId, () =>
          this.deleteSteps(round, part.kind, (cursor) => part.step(expiry, cursor, STEP_SIZE)),
        );
      }
    }
    for (const part of this.upkeep) {
      await this.attempt(round, part.kind, null, () =>
        this.deleteSteps(round, part.kind, (cursor) => part.step(cursor, STEP_SIZE)),
      );
    }
    const longest = terms.reduce((most, { retentionDays }) => Math.max(most, retentionDays), 0) || LONGEST_DAYS;
    await this.attempt(round, 'partitions', null, async () => {
      await round.renewLease();
      this.count(round, 'partitions', (await this.partitions.dropEmpty(before(longest))).length);
    });
  }

  /** Gives each account an equal share of the time, so that a large one does not delay the others. */
  private async deleteAccounts(round: Round, accounts: readonly DeletedAccount[]): Promise<void> {
    const kind = 'accounts';
    const end = this.clock.monotonic() + REMOVAL_MS;
    for (const [index, account] of accounts.entries()) {
      const now = this.clock.monotonic();
      const until = now + (end - now) / (accounts.length - index);
      const step = async (): Promise<RetentionStep> => {
        const { deleted, hasMore } = await this.deletion.step(account, STEP_SIZE);
        return { deleted, next: hasMore ? account.id : null };
      };
      await this.attempt(round, kind, account.id, () => this.deleteSteps(round, kind, step, until));
    }
  }

  /** Stops at the monotonic time `until`, after one step at least. */
  private async deleteSteps(
    round: Round,
    kind: string,
    stepFrom: (cursor: string | null) => Promise<RetentionStep>,
    until = Infinity,
  ): Promise<void> {
    let cursor: string | null = null;
    do {
      await round.renewLease();
      const startedAt = this.clock.monotonic();
      const { deleted, next } = await stepFrom(cursor);
      const spent = this.clock.monotonic() - startedAt;
      this.count(round, kind, deleted);
      cursor = next;
      if (deleted > 0 || next !== null) await this.clock.sleep(Math.max(PAUSE_MS, spent), round.signal);
    } while (cursor !== null && this.clock.monotonic() < until);
  }

  /** A failure for one account must not delay the others. */
  private async attempt(
    round: Round,
    kind: string,
    accountId: string | null,
    work: () => Promise<void>,
  ): Promise<void> {
    try {
      await work();
      round.failuresInARow = 0;
    } catch (error) {
      if (error instanceof RoundStoppedError) throw error;
      this.telemetry.failed(kind, accountId, error);
      round.failures++;
      if (++round.failuresInARow === FAILURES_IN_A_ROW) throw new RoundStoppedError();
    }
  }

  private count(round: Round, kind: string, deleted: number): void {
    if (deleted === 0) return;
    round.counts.set(kind, (round.counts.get(kind) ?? 0) + deleted);
    this.telemetry.deleted(kind, deleted);
  }
}

/** One running round. */
class Round {
  readonly counts = new Map<string, number>();
  failures = 0;
  failuresInARow = 0;
  private readonly startedAt: number;
  private renewedAt: number;

  constructor(
    private readonly clock: Clock,
    readonly signal: AbortSignal,
    private readonly renew: () => Promise<boolean>,
  ) {
    this.startedAt = clock.monotonic();
    this.renewedAt = this.startedAt;
  }

  get seconds(): number {
    return (this.clock.monotonic() - this.startedAt) / 1000;
  }

  /** Renews the lease when needed; throws RoundStoppedError if this process is stopping or has lost the lease. */
  async renewLease(): Promise<void> {
    if (this.signal.aborted) throw new RoundStoppedError();
    if (this.clock.monotonic() - this.renewedAt < RENEW_EVERY_MS) return;
    if (!(await this.renew())) throw new RoundStoppedError();
    this.renewedAt = this.clock.monotonic();
  }
}
