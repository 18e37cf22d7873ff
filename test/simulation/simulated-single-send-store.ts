import {
  type LockedSends,
  type SingleSend,
  SingleSendStore,
} from '../../src/modules/sending/domain/single-send-store.port';
import type { SingleSendRow } from '../fakes/engine-rows';
import { DatabaseError } from './history-database';
import type { ProcessDatabase } from './process-database';
import type { Row } from './table';

type Where = (row: SingleSendRow) => boolean;

/** Single sends, statement by statement like the SQL of the real store. */
export class SimulatedSingleSendStore extends SingleSendStore {
  constructor(private readonly database: ProcessDatabase) {
    super();
  }

  insert(sends: readonly SingleSend[], giveUpAfterMs: number): Promise<void> {
    return this.database.statement('INSERT_SINGLES', (transaction) => {
      const now = this.queuedAt();
      for (const { messageId, senderId, attempt, needsRoom, validUntil, traceparent, ...send } of sends) {
        const row = this.table.row(messageId);
        if (row.seenBy(transaction)) throw new DatabaseError('duplicate key');
        const heldUntil = needsRoom && send.retryAt !== null && send.retryAt > now ? send.retryAt : now;
        const retryAt = attempt === 0 ? heldUntil : null;
        const giveUpAt = attempt > 0 ? new Date(this.now() + giveUpAfterMs) : null;
        const states = { strikes: 0, throttles: 0, sendingEpoch: null, unknownSince: null, outcome: null };
        const value: SingleSendRow = {
          ...{ messageId, senderId, attempt, retryAt, giveUpAt, validUntil, needsRoom, problem: null, traceparent },
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

  due(senderId: string): Promise<{ toSend: boolean; toRequestRoom: boolean }> {
    return this.database.statement('SINGLE_DUE', (transaction) => {
      const sends = [...this.table.seenBy(transaction)];
      return {
        toSend: sends.some((send) => this.isDueNow(send, senderId)),
        toRequestRoom: sends.some((send) => this.asksNow(send, senderId)),
      };
    });
  }

  lockHeld(senderId: string, limit: number): Promise<SingleSend[]> {
    return this.database.statement('LOCK_HELD', async (transaction) => {
      const asks: Where = (row) => this.asksNow(row, senderId);
      const rows = this.server.unlocked(transaction, this.table, asks, retryTime, limit);
      const sends = await this.server.select(transaction, rows, asks);
      return sends.map(toSend);
    });
  }

  async requireRoom(senderId: string): Promise<void> {
    const isDue: Where = (row) => this.isDueNow(row, senderId);
    await this.database.statement('REQUIRE_ROOM', (transaction) =>
      this.server.update(transaction, this.server.unlocked(transaction, this.table, isDue), isDue, () => ({
        needsRoom: true,
      })),
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
      const due = this.server.unlocked(transaction, this.table, isDue, retryTime, limit);
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
        [...this.table.rows.values()].sort(byId),
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
      const isOpen: Where = ({ outcome }) => outcome === null;
      const rows = [...this.table.rows.values()].filter((row) => row.matches(transaction, isOpen));
      const open = await this.server.select(transaction, rows.sort(byId).slice(0, limit), isOpen);
      return { now: this.server.now(), sends: open.map(toSend) };
    });
  }

  lockOverdue(graceMs: number, limit: number): Promise<LockedSends> {
    return this.database.statement('LOCK_OVERDUE', async (transaction) => {
      const now = this.now();
      const isOverdue: Where = ({ giveUpAt, retryAt, validUntil, unknownSince }) =>
        (giveUpAt !== null && giveUpAt.getTime() < now) ||
        (retryAt !== null && validUntil.getTime() < now) ||
        (unknownSince !== null && unknownSince.getTime() < now - graceMs);
      const rows = this.server.unlocked(transaction, this.table, isOverdue, ({ messageId }) => messageId, limit);
      const sends = await this.server.select(transaction, rows, isOverdue);
      return { now: this.server.now(), sends: sends.map(toSend) };
    });
  }

  protected queuedAt(): Date {
    return this.server.now();
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
}

function retryTime({ retryAt }: SingleSendRow): number {
  return retryAt!.getTime();
}

function byId(a: Row<SingleSendRow>, b: Row<SingleSendRow>): number {
  return a.key < b.key ? -1 : 1;
}

function toSend({ sendingEpoch: _epoch, giveUpAt: _giveUpAt, ...row }: SingleSendRow): SingleSend {
  return { ...row, problem: row.problem === null ? null : { code: row.problem, message: '', platformCode: null } };
}
