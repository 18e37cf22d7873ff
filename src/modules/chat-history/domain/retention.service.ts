import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { uuidV7 } from '../../../kernel/uuid';
import { HistoryTerms } from '../../accounts/domain/history-terms.service';
import { HistoryPartitions } from './history-partitions.port';
import type { RetentionPart, RetentionStep, UpkeepPart } from './retention';
import { RetentionJournal } from './retention-journal';
import { RetentionTurns } from './retention-turns.port';

const DAY_MS = 86_400_000;
/** Things that one transaction looks at: the embedded database has one connection, and everybody else waits for it. */
const STEP_SIZE = 500;
/** Least time that the database has for others after each step; a step that took longer is followed by as long. */
const PAUSE_MS = 50;
const LEASE_SECONDS = 60;
const RENEW_EVERY_MS = 15_000;
const ROUND_EVERY_SECONDS = 3_600;
/** Where there is no account, nothing is kept longer than this. */
const LONGEST_DAYS = 730;
/** So many failures one after the other mean that the database is away: the round is tried again soon. */
const FAILURES_IN_A_ROW = 10;

/** The turn has gone to another process, this one ends, or the database is away. */
class RoundCutError extends Error {}

/**
 * Clears away what is older than its account keeps it: in small steps with pauses between them, so that nobody else waits,
 * in one process at a time. A step is a transaction, so a round may be cut at any moment and the next one goes on.
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
    private readonly journal: RetentionJournal,
    private readonly clock: Clock,
  ) {}

  /** Has every round clear away this too, account by account, after the parts that were added before. */
  add(part: RetentionPart): void {
    this.parts.push(part);
  }

  /** Has every round clear away this too. */
  addUpkeep(part: UpkeepPart): void {
    this.upkeep.push(part);
  }

  /** Does a whole round where one is due and no other process is at it; whether it did. Ends early with `signal`. */
  async round(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || !(await this.turns.take(this.owner, LEASE_SECONDS))) return false;
    const round = new Round(this.clock, signal, () => this.turns.renew(this.owner, LEASE_SECONDS));
    try {
      await this.clearAll(round);
    } catch (error) {
      if (!(error instanceof RoundCutError)) throw error;
      // Due at once: what this process leaves undone, another one or the next start goes on with.
      await this.turns.end(this.owner, 0);
      return false;
    }
    await this.turns.end(this.owner, ROUND_EVERY_SECONDS);
    this.journal.finished(round.counts, round.seconds, round.failures);
    return true;
  }

  private async clearAll(round: Round): Promise<void> {
    const terms = await this.terms.all();
    const now = this.clock.now().getTime();
    const before = (days: number): Date => new Date(now - days * DAY_MS);
    for (const { accountId, retentionDays } of terms) {
      const expiry = { accountId, before: before(retentionDays) };
      for (const part of this.parts) {
        await this.attempt(round, part.kind, accountId, () =>
          this.clear(round, part.kind, (cursor) => part.step(expiry, cursor, STEP_SIZE)),
        );
      }
    }
    for (const part of this.upkeep) {
      await this.attempt(round, part.kind, null, () =>
        this.clear(round, part.kind, (cursor) => part.step(cursor, STEP_SIZE)),
      );
    }
    const longest = terms.reduce((most, { retentionDays }) => Math.max(most, retentionDays), 0) || LONGEST_DAYS;
    await this.attempt(round, 'partitions', null, async () => {
      await round.holdOn();
      this.count(round, 'partitions', await this.partitions.dropOlderThan(before(longest)));
    });
  }

  private async clear(
    round: Round,
    kind: string,
    stepFrom: (cursor: string | null) => Promise<RetentionStep>,
  ): Promise<void> {
    let cursor: string | null = null;
    do {
      await round.holdOn();
      const begun = this.clock.monotonic();
      const { deleted, next } = await stepFrom(cursor);
      const spent = this.clock.monotonic() - begun;
      this.count(round, kind, deleted);
      cursor = next;
      if (deleted > 0 || next !== null) await this.clock.sleep(Math.max(PAUSE_MS, spent), round.signal);
    } while (cursor !== null);
  }

  /** What fails for one account must keep nobody else's history longer. */
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
      if (error instanceof RoundCutError) throw error;
      this.journal.failed(kind, accountId, error);
      round.failures++;
      if (++round.failuresInARow === FAILURES_IN_A_ROW) throw new RoundCutError();
    }
  }

  private count(round: Round, kind: string, deleted: number): void {
    if (deleted === 0) return;
    round.counts.set(kind, (round.counts.get(kind) ?? 0) + deleted);
    this.journal.deleted(kind, deleted);
  }
}

/** One round under way. */
class Round {
  readonly counts = new Map<string, number>();
  failures = 0;
  failuresInARow = 0;
  private readonly begun: number;
  private renewedAt: number;

  constructor(
    private readonly clock: Clock,
    readonly signal: AbortSignal,
    private readonly renew: () => Promise<boolean>,
  ) {
    this.begun = clock.monotonic();
    this.renewedAt = this.begun;
  }

  get seconds(): number {
    return (this.clock.monotonic() - this.begun) / 1000;
  }

  /** Goes on only as long as this process runs and the turn is its own; else throws RoundCutError. */
  async holdOn(): Promise<void> {
    if (this.signal.aborted) throw new RoundCutError();
    if (this.clock.monotonic() - this.renewedAt < RENEW_EVERY_MS) return;
    if (!(await this.renew())) throw new RoundCutError();
    this.renewedAt = this.clock.monotonic();
  }
}
