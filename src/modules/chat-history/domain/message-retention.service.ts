import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { InboundMedia } from '../../media/domain/inbound-media.service';
import { ExpiredMessages } from './expired-messages.port';
import type { ExpiredMessage, Expiry, MessageKeeper, RetentionStep } from './retention';
import { Retention } from './retention.service';

/** Deletes messages whose time is over, with what hangs on them, and then the conversations that are left without any. */
@Injectable()
export class MessageRetention {
  private readonly keepers: MessageKeeper[] = [];

  constructor(
    retention: Retention,
    private readonly store: ExpiredMessages,
    private readonly media: InboundMedia,
    private readonly unitOfWork: UnitOfWork,
  ) {
    retention.add({ kind: 'messages', step: (expiry, cursor, limit) => this.clearMessages(expiry, cursor, limit) });
    retention.add({
      kind: 'conversations',
      step: (expiry, cursor, limit) => unitOfWork.run(() => store.removeEmptyConversations(expiry, cursor, limit)),
    });
  }

  /** Asks `keeper` before every deletion; whoever writes messages whose outcome may be open has to be asked. */
  addKeeper(keeper: MessageKeeper): void {
    this.keepers.push(keeper);
  }

  private clearMessages(expiry: Expiry, cursor: string | null, limit: number): Promise<RetentionStep> {
    return this.unitOfWork.run(async () => {
      const { messages, next } = await this.store.read(expiry, cursor, limit);
      const settled = await this.settled(messages);
      if (settled.length === 0) return { deleted: 0, next };
      const removed = await this.store.remove(settled.map(({ id }) => id));
      for (const keeper of this.keepers) await keeper.release(removed);
      const isRemoved = new Set(removed);
      const inbound = settled.filter(({ id, isInbound }) => isInbound && isRemoved.has(id));
      if (inbound.length > 0) await this.media.remove(inbound.map(({ id }) => id));
      return { deleted: removed.length, next };
    });
  }

  private async settled(messages: ExpiredMessage[]): Promise<ExpiredMessage[]> {
    let settled = messages;
    for (const keeper of this.keepers) {
      if (settled.length === 0) return [];
      const open = new Set(await keeper.unsettled(settled));
      settled = settled.filter(({ id }) => !open.has(id));
    }
    return settled;
  }
}
