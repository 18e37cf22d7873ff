import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { Clock } from '../../../kernel/clock';
import { GroupCommit } from '../../../kernel/group-commit';
import {
  type LockedSends,
  type NewSingleSend,
  type SingleSend,
  SingleSendStore,
} from '../domain/single-send-store.port';
import * as sql from './single-sends.sql';

/** Lanes that were refreshed together are read together. */
const TOGETHER = { maxItems: 500, gatherMs: 0 };

type DueSends = Awaited<ReturnType<SingleSendStore['due']>>;

/** Single sends in the table `single_sends`. */
@Injectable()
export class PostgresSingleSendStore extends SingleSendStore {
  private readonly refreshes: GroupCommit<string, DueSends>;

  constructor(
    private readonly database: Database,
    clock: Clock,
  ) {
    super();
    this.refreshes = new GroupCommit((senderIds) => this.dueOf(senderIds), { ...TOGETHER, clock });
  }

  async insert(sends: readonly NewSingleSend[], giveUpAfterMs: number): Promise<void> {
    await this.database.submit(sql.INSERT, [
      sends.map((send) => send.messageId),
      sends.map((send) => send.senderId),
      sends.map((send) => send.attempt),
      sends.map((send) => send.validUntil),
      giveUpAfterMs,
      sends.map((send) => send.retryAt),
      sends.map((send) => send.needsRoom),
      sends.map((send) => send.createdBy),
      sends.map((send) => send.requestId),
      sends.map((send) => send.traceparent),
    ]);
  }

  async unsettled(messageIds: readonly string[]): Promise<{ messageId: string; senderId: string }[]> {
    return this.database.rows(sql.UNSETTLED, [messageIds]);
  }

  due(senderId: string): Promise<DueSends> {
    return this.refreshes.submit(senderId);
  }

  lockHeld(senderId: string, limit: number): Promise<SingleSend[]> {
    return this.database.rows(sql.LOCK_HELD, [senderId, limit]);
  }

  async requireRoom(senderId: string): Promise<void> {
    await this.database.execute(sql.REQUIRE_ROOM, [senderId]);
  }

  async lock(messageIds: readonly string[]): Promise<LockedSends> {
    return this.locked(sql.LOCK, [messageIds]);
  }

  async save(sends: readonly SingleSend[]): Promise<void> {
    await this.database.submit(sql.SAVE, [
      sends.map((send) => send.messageId),
      sends.map((send) => send.strikes),
      sends.map((send) => send.throttles),
      sends.map((send) => send.retryAt),
      sends.map((send) => send.unknownSince),
      sends.map((send) => send.outcome),
      sends.map((send) => send.problem?.code ?? null),
      sends.map((send) => send.needsRoom),
    ]);
  }

  async claimDue(senderId: string, epoch: string, limit: number, giveUpAfterMs: number): Promise<SingleSend[]> {
    const { rows } = await this.database.execute<SingleSend>(sql.CLAIM_DUE, [senderId, epoch, limit, giveUpAfterMs]);
    return rows;
  }

  async lockStranded(senderId: string, epoch: string): Promise<LockedSends> {
    return this.locked(sql.LOCK_STRANDED, [senderId, epoch]);
  }

  async lockOverdue(graceMs: number, limit: number): Promise<LockedSends> {
    return this.locked(sql.LOCK_OVERDUE, [graceMs, limit]);
  }

  async lockOpen(limit: number): Promise<LockedSends> {
    return this.locked(sql.LOCK_OPEN, [limit]);
  }

  private async locked(statement: string, parameters: unknown[]): Promise<LockedSends> {
    const sends = await this.database.rows<SingleSend & { now: Date }>(statement, parameters);
    return { now: sends[0]?.now ?? new Date(), sends };
  }

  private async dueOf(senderIds: readonly string[]): Promise<DueSends[]> {
    const rows = await this.database.rows<DueSends & { senderId: string }>(sql.ANY_DUE, [[...new Set(senderIds)]]);
    const due = new Map(rows.map(({ senderId, ...of }) => [senderId, of]));
    return senderIds.map((senderId) => due.get(senderId)!);
  }
}
