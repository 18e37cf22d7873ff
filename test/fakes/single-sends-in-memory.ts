import {
  type LockedSends,
  type SingleSend,
  SingleSendStore,
} from '../../src/modules/sending/domain/single-send-store.port';
import type { MemoryDatabase, SingleSendRow } from './memory-database';

/** Single sends in memory. */
export class SingleSendsInMemory extends SingleSendStore {
  constructor(private readonly database: MemoryDatabase) {
    super();
  }

  insert(sends: readonly SingleSend[], giveUpAfterMs: number): Promise<void> {
    return this.database.call('insertSingles', (tables) => {
      for (const { messageId, senderId, attempt, retryAt, needsRoom, validUntil } of sends) {
        if (tables.singleSends.some((row) => row.messageId === messageId)) throw new Error('duplicate key');
        tables.singleSends.push({
          messageId,
          senderId,
          attempt,
          strikes: 0,
          throttles: 0,
          sendingEpoch: null,
          retryAt: attempt === 0 ? new Date(Math.max(this.now(), retryAt?.getTime() ?? 0)) : null,
          giveUpAt: attempt > 0 ? new Date(this.now() + giveUpAfterMs) : null,
          unknownSince: null,
          outcome: null,
          problem: null,
          needsRoom,
          validUntil,
        });
      }
    });
  }

  unsettled(messageIds: readonly string[]): Promise<{ messageId: string; senderId: string }[]> {
    return this.database.call('unsettledSingles', (tables) =>
      tables.singleSends
        .filter((row) => messageIds.includes(row.messageId) && (row.outcome === null || row.outcome === 'Unknown'))
        .map(({ messageId, senderId }) => ({ messageId, senderId })),
    );
  }

  due(senderId: string): Promise<{ toSend: boolean; toAsk: boolean }> {
    return this.database.call('isSingleDue', (tables) => {
      const own = tables.singleSends.filter((row) => row.senderId === senderId);
      return { toSend: own.some((row) => this.isDueNow(row)), toAsk: own.some((row) => this.asksNow(row)) };
    });
  }

  lockHeld(senderId: string, limit: number): Promise<SingleSend[]> {
    return this.database.call('lockHeldSingles', (tables) =>
      tables.singleSends
        .filter((row) => row.senderId === senderId && this.asksNow(row))
        .sort((a, b) => a.retryAt!.getTime() - b.retryAt!.getTime())
        .slice(0, limit)
        .map(toSend),
    );
  }

  askFirst(senderId: string): Promise<void> {
    return this.database.call('askFirst', (tables) => {
      for (const row of tables.singleSends) if (row.senderId === senderId && this.isDueNow(row)) row.needsRoom = true;
    });
  }

  lock(messageIds: readonly string[]): Promise<LockedSends> {
    return this.locked('lockSingles', (row) => messageIds.includes(row.messageId));
  }

  save(sends: readonly SingleSend[]): Promise<void> {
    return this.database.call('saveSingles', (tables) => {
      for (const { messageId, strikes, throttles, retryAt, unknownSince, outcome, problem, needsRoom } of sends) {
        const row = tables.singleSends.find((one) => one.messageId === messageId)!;
        Object.assign(row, { strikes, throttles, retryAt, unknownSince, outcome, problem: problem?.code ?? null });
        Object.assign(row, { sendingEpoch: null, giveUpAt: null, needsRoom });
      }
    });
  }

  claimDue(senderId: string, epoch: string, limit: number, giveUpAfterMs: number): Promise<SingleSend[]> {
    return this.database.call('claimSingles', (tables) => {
      const due = tables.singleSends
        .filter((row) => row.senderId === senderId && this.isDueNow(row))
        .sort((a, b) => a.retryAt!.getTime() - b.retryAt!.getTime())
        .slice(0, limit);
      for (const row of due) {
        const giveUpAt = new Date(this.now() + giveUpAfterMs);
        Object.assign(row, { attempt: row.attempt + 1, sendingEpoch: Number(epoch), retryAt: null, giveUpAt });
      }
      return due.map(toSend);
    });
  }

  lockStranded(senderId: string, epoch: string): Promise<LockedSends> {
    const isStranded = (row: SingleSendRow): boolean =>
      row.senderId === senderId &&
      row.sendingEpoch !== null &&
      row.sendingEpoch < Number(epoch) &&
      row.outcome === null;
    return this.locked('lockStranded', isStranded);
  }

  lockOverdue(graceMs: number, limit: number): Promise<LockedSends> {
    const now = this.now();
    const isOverdue = ({ giveUpAt, retryAt, validUntil, unknownSince }: SingleSendRow): boolean =>
      (giveUpAt !== null && giveUpAt.getTime() < now) ||
      (retryAt !== null && validUntil.getTime() < now) ||
      (unknownSince !== null && unknownSince.getTime() < now - graceMs);
    return this.locked('lockOverdue', isOverdue, limit);
  }

  lockOpen(limit: number): Promise<LockedSends> {
    return this.locked('lockOpen', ({ outcome }) => outcome === null, limit);
  }

  private locked(name: string, isWanted: (row: SingleSendRow) => boolean, limit = Infinity): Promise<LockedSends> {
    return this.database.call(name, (tables) => ({
      now: this.database.now(),
      sends: tables.singleSends
        .filter(isWanted)
        .sort((a, b) => (a.messageId < b.messageId ? -1 : 1))
        .slice(0, limit)
        .map(toSend),
    }));
  }

  private isDueNow({ needsRoom, retryAt, validUntil }: SingleSendRow): boolean {
    return !needsRoom && retryAt !== null && retryAt.getTime() <= this.now() && validUntil.getTime() > this.now();
  }

  private asksNow({ needsRoom, retryAt }: SingleSendRow): boolean {
    return needsRoom && retryAt !== null && retryAt.getTime() <= this.now();
  }

  private now(): number {
    return this.database.now().getTime();
  }
}

function toSend({ sendingEpoch: _epoch, giveUpAt: _giveUpAt, ...row }: SingleSendRow): SingleSend {
  return { ...row, problem: row.problem === null ? null : { code: row.problem, message: '', platformCode: null } };
}
