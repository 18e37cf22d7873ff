import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { InboundMedia } from '../../media/domain/inbound-media';
import { ExpiredMessages } from './expired-messages.port';
import type { ExpiredMessage, Expiry, RetentionHold, RetentionStep } from './retention';
import { Retention } from './retention-rounds';

/** Deletes expired messages with their media files. */
@Injectable()
export class MessageRetention {
  private readonly holds: RetentionHold[] = [];

  constructor(
    retention: Retention,
    private readonly store: ExpiredMessages,
    private readonly media: InboundMedia,
    private readonly unitOfWork: UnitOfWork,
  ) {
    retention.add({ kind: 'messages', step: (expiry, cursor, limit) => this.deleteExpired(expiry, cursor, limit) });
  }

  /** Adds a check before every deletion; each module that writes messages with open outcomes adds one. */
  addHold(hold: RetentionHold): void {
    this.holds.push(hold);
  }

  private deleteExpired(expiry: Expiry, cursor: string | null, limit: number): Promise<RetentionStep> {
    return this.unitOfWork.run(async () => {
      const { messages, next } = await this.store.read(expiry, cursor, limit);
      const settled = await this.settled(messages);
      if (settled.length === 0) return { deleted: 0, next };
      const removed = await this.store.remove(settled.map(({ id }) => id));
      for (const hold of this.holds) await hold.release(removed);
      const isRemoved = new Set(removed);
      const inbound = settled.filter(({ id, isInbound }) => isInbound && isRemoved.has(id));
      if (inbound.length > 0) await this.media.remove(inbound.map(({ id }) => id));
      return { deleted: removed.length, next };
    });
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
