import {
  type LockedSends,
  type SingleSend,
  SingleSendStore,
} from '../../src/modules/sending/domain/single-send-store.port';
import type { SingleSendRow } from '../fakes/memory-database';
import type { Transaction } from './database-server';
import { DatabaseError } from './history-database';
import type { ProcessDatabase } from './process-database';
import type { Row } from './table';

type Where = (row: SingleSendRow) => boolean;

/** The store of single sends statement by statement as the SQL of the real one. */
export class SimulatedSingleSendStore extends SingleSendStore {
  constructor(private readonly database: ProcessDatabase) {
    super();
  }

  insert(sends: readonly SingleSend[], giveUpAfterMs: number): Promise<void> {
    return this.database.statement('INSERT_SINGLES', (transaction) => {
      for (const { messageId, senderId, attempt, needsRoom, validUntil, ...send } of sends) {
        const row = this.table.row(messageId);
        if (row.seenBy(transaction)) throw new DatabaseError('duplicate key');
        const retryAt = attempt === 0 ? latest(this.server.now(), send.retryAt) : null;
        const giveUpAt = attempt > 0 ? new Date(this.now() + giveUpAfterMs) : null;
        const states = { strikes: 0, throttles: 0, sendingEpoch: null, unknownSince: null, outcome: null };
        const value: SingleSendRow = {
          ...{ messageId, senderId, attempt, retryAt, giveUpAt, validUntil, needsRoom, problem: null },
          ...states,
        };
        transaction.writes.set(row, value);
      }
    });
  }

  unsettled(messageIds: readonly string[]): Promise<{ messageId: string; senderId: string }[]> {
    return this.database.statement('UNSETTLED_SINGLES', () =>
      messageIds.flatMap((id) => {
        const row = this.table.row(id).committed;
        return row && (row.outcome === null || row.outcome === 'Unknown') ? [row] : [];
      }),
    );
  }

  due(senderId: string): Promise<{ toSend: boolean; toAsk: boolean }> {
    return this.database.statement('SINGLE_DUE', () => {
      const sends = [...this.table.committed()];
      return {
        toSend: sends.some((send) => this.isDueNow(send, senderId)),
        toAsk: sends.some((send) => this.asksNow(send, senderId)),
      };
    });
  }

  lockHeld(senderId: string, limit: number): Promise<SingleSend[]> {
    return this.database.statement('LOCK_HELD', async (transaction) => {
      const asks: Where = (row) => this.asksNow(row, senderId);
      const sends = await this.server.select(transaction, this.unlocked(transaction, asks).slice(0, limit), asks);
      return sends.map(toSend);
    });
  }

  async askFirst(senderId: string): Promise<void> {
    const isDue: Where = (row) => this.isDueNow(row, senderId);
    await this.database.statement('ASK_FIRST', (transaction) =>
      this.server.update(transaction, this.unlocked(transaction, isDue), isDue, () => ({ needsRoom: true })),
    );
  }

  lock(messageIds: readonly string[]): Promise<LockedSends> {
    const rows = [...messageIds].sort().map((id) => this.table.row(id));
    return this.database.statement('LOCK_SINGLES', async (transaction) => {
      const sends = await this.server.select(transaction, rows, () => true);
      return { now: this.server.now(), sends: sends.map(toSend) };
    });
  }

  async save(sends: readonly SingleSend[]): Promise<void> {
    const states = new Map(sends.map((send) => [send.messageId, send]));
    await this.database.statement('SAVE_SINGLES', (transaction) =>
      this.server.update(
        transaction,
        sends.map(({ messageId }) => this.table.row(messageId)),
        () => true,
        ({ messageId }) => {
          const { strikes, throttles, retryAt, unknownSince, outcome, problem, needsRoom } = states.get(messageId)!;
          const state = { strikes, throttles, retryAt, unknownSince, outcome, problem: problem?.code ?? null };
          return { ...state, needsRoom, sendingEpoch: null, giveUpAt: null };
        },
      ),
    );
  }

  claimDue(senderId: string, epoch: string, limit: number, giveUpAfterMs: number): Promise<SingleSend[]> {
    return this.database.statement('CLAIM_SINGLES', async (transaction) => {
      const isDue: Where = (row) => this.isDueNow(row, senderId);
      const due = this.unlocked(transaction, isDue)
        .sort((a, b) => a.committed!.retryAt!.getTime() - b.committed!.retryAt!.getTime())
        .slice(0, limit);
      const claimed = await this.server.update(transaction, due, isDue, (row) => ({
        attempt: row.attempt + 1,
        sendingEpoch: Number(epoch),
        retryAt: null,
        giveUpAt: new Date(this.now() + giveUpAfterMs),
      }));
      return claimed.map(toSend);
    });
  }

  lockStranded(senderId: string, epoch: string): Promise<LockedSends> {
    return this.database.statement('LOCK_STRANDED', async (transaction) => {
      const sends = await this.server.select(
        transaction,
        this.table.rows.values(),
        (row) =>
          row.senderId === senderId &&
          row.sendingEpoch !== null &&
          row.sendingEpoch < Number(epoch) &&
          row.outcome === null,
      );
      return { now: this.server.now(), sends: sends.map(toSend) };
    });
  }

  lockOpen(limit: number): Promise<LockedSends> {
    return this.database.statement('LOCK_OPEN', async (transaction) => {
      const open = await this.server.select(transaction, this.table.rows.values(), ({ outcome }) => outcome === null);
      return { now: this.server.now(), sends: open.slice(0, limit).map(toSend) };
    });
  }

  lockOverdue(graceMs: number, limit: number): Promise<LockedSends> {
    return this.database.statement('LOCK_OVERDUE', async (transaction) => {
      const now = this.now();
      const isOverdue: Where = ({ giveUpAt, retryAt, validUntil, unknownSince }) =>
        (giveUpAt !== null && giveUpAt.getTime() < now) ||
        (retryAt !== null && validUntil.getTime() < now) ||
        (unknownSince !== null && unknownSince.getTime() < now - graceMs);
      const rows = this.unlocked(transaction, isOverdue).slice(0, limit);
      const sends = await this.server.select(transaction, rows, isOverdue);
      return { now: this.server.now(), sends: sends.map(toSend) };
    });
  }

  private get server() {
    return this.database.server;
  }

  private get table() {
    return this.server.singles;
  }

  private isDueNow(row: SingleSendRow, senderId: string): boolean {
    if (row.senderId !== senderId || row.needsRoom || row.retryAt === null) return false;
    return row.retryAt.getTime() <= this.now() && row.validUntil.getTime() > this.now();
  }

  private asksNow(row: SingleSendRow, senderId: string): boolean {
    return row.senderId === senderId && row.needsRoom && row.retryAt !== null && row.retryAt.getTime() <= this.now();
  }

  private now(): number {
    return this.server.now().getTime();
  }

  /** What FOR UPDATE SKIP LOCKED offers. */
  private unlocked(transaction: Transaction, where: Where): Row<SingleSendRow>[] {
    return [...this.table.rows.values()].filter(
      (row) => row.committed && where(row.committed) && row.isFreeFor(transaction, false),
    );
  }
}

function latest(now: Date, at: Date | null): Date {
  return at !== null && at > now ? at : now;
}

function toSend({ sendingEpoch: _epoch, giveUpAt: _giveUpAt, ...row }: SingleSendRow): SingleSend {
  return { ...row, problem: row.problem === null ? null : { code: row.problem, message: '', platformCode: null } };
}
