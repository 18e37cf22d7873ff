import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AccountDeletion, type AccountPart } from '../../accounts/domain/account-deletion';
import { InboundMedia } from '../../media/domain/inbound-media';
import { ExpiredMessages } from './expired-messages.port';
import type { ExpiredMessage, Expiry, RetentionHold, RetentionStep } from './retention';
import { Retention } from './retention-rounds';

/** After the creation of every message. */
const AT_ANY_TIME = new Date('9999-12-31T00:00:00Z');

/** Deletes expired messages, and those of deleted accounts, with their media files. */
@Injectable()
export class MessageRetention implements AccountPart {
  private readonly holds: RetentionHold[] = [];

  constructor(
    retention: Retention,
    private readonly store: ExpiredMessages,
    private readonly media: InboundMedia,
    private readonly unitOfWork: UnitOfWork,
    deletion: AccountDeletion,
  ) {
    deletion.add(this);
    retention.add({ kind: 'messages', step: (expiry, cursor, limit) => this.deleteExpired(expiry, cursor, limit) });
  }

  /** Adds a check before every deletion; each module that writes messages with open outcomes adds one. */
  addHold(hold: RetentionHold): void {
    this.holds.push(hold);
  }

  deleteSome(accountId: string, limit: number): Promise<number> {
    return this.unitOfWork.run(async () => {
      const { messages } = await this.store.read({ accountId, before: AT_ANY_TIME }, null, limit);
      await this.remove(messages);
      return messages.length;
    });
  }

  private deleteExpired(expiry: Expiry, cursor: string | null, limit: number): Promise<RetentionStep> {
    return this.unitOfWork.run(async () => {
      const { messages, next } = await this.store.read(expiry, cursor, limit);
      return { deleted: await this.remove(await this.settled(messages)), next };
    });
  }

  /** Removes those of the messages that are not locked; returns their number. */
  private async remove(messages: readonly ExpiredMessage[]): Promise<number> {
    if (messages.length === 0) return 0;
    const removed = await this.store.remove(messages.map(({ id }) => id));
    for (const hold of this.holds) await hold.release(removed);
    const isRemoved = new Set(removed);
    const inbound = messages.filter(({ id, isInbound }) => isInbound && isRemoved.has(id));
    if (inbound.length > 0) await this.media.remove(inbound.map(({ id }) => id));
    return removed.length;
  }

  private async settled(messages: ExpiredMessage[]): Promise<ExpiredMessage[]> {
    let settled = messages;
    for (const hold of this.holds) {
      if (settled.length === 0) return [];
      const open = new Set(await hold.unsettled(settled));
      settled = settled.filter(({ id }) => !open.has(id));
    }
    return settled;
  }
}
