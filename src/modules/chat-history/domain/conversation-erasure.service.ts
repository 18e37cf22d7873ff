import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import type { ErasedPerson } from '../../groups/domain/erasure';
import { InboundMedia } from '../../media/domain/inbound-media.service';
import { ConversationNotFoundError } from './chat-history.errors';
import { conversationId as idOf } from './conversation';
import { ConversationErasureStore } from './conversation-erasure-store.port';

/** Messages of one transaction: few enough that nobody waits for it. */
const ERASED_AT_ONCE = 500;

/**
 * Erases what was said, and with whom: contents, numbers, names and files go; how many messages there were and what became
 * of them stays. Short transactions follow each other; what was interrupted goes on with the next call.
 */
@Injectable()
export class ConversationErasure {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ConversationErasureStore,
    private readonly media: InboundMedia,
  ) {}

  /** Erases a conversation to its end; throws ConversationNotFoundError. */
  async erase(accountId: string, conversationId: string): Promise<void> {
    const [conversation] = await this.store.conversations(accountId, [conversationId], null);
    if (!conversation) throw new ConversationNotFoundError();
    let isGone = false;
    while (!isGone) {
      const isAll = await this.eraseMessages(accountId, conversationId, null);
      isGone = isAll && (await this.removeEmpty(accountId, conversationId));
    }
  }

  /**
   * Erases a part of what there is of a person up to the moment of the request, by whichever of number and user id; to be
   * called until it is done. A conversation that goes on stays.
   */
  async eraseSome(person: ErasedPerson): Promise<{ done: boolean }> {
    const { accountId, requestedAt } = person;
    for (const conversationId of await this.conversationsOf(person)) {
      if (!(await this.eraseMessages(accountId, conversationId, requestedAt))) return { done: false };
      await this.removeEmpty(accountId, conversationId);
    }
    return { done: true };
  }

  /**
   * A person may have written under a number and under a user id before the two were known to belong together. The
   * conversation that tells so comes last: a later call could not find the other one without it.
   */
  private async conversationsOf({ accountId, phone, userId }: ErasedPerson): Promise<Set<string>> {
    const ids = [phone, userId].filter((one) => one !== null).map((one) => idOf(accountId, one));
    const found = await this.store.conversations(accountId, ids, userId);
    const linked = found.flatMap((one) => (one.userId === null ? [] : [idOf(accountId, one.userId)]));
    return new Set([...linked, ...found.map(({ id }) => id), ...ids]);
  }

  /** Whether there are no more messages of the conversation to erase. */
  private eraseMessages(accountId: string, conversationId: string, madeBefore: Date | null): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const erased = await this.store.eraseMessages(accountId, conversationId, madeBefore, ERASED_AT_ONCE);
      await this.media.remove(erased.filter(({ direction }) => direction === 'Inbound').map(({ id }) => id));
      return erased.length < ERASED_AT_ONCE;
    });
  }

  private removeEmpty(accountId: string, conversationId: string): Promise<boolean> {
    return this.unitOfWork.run(() => this.store.removeEmpty(accountId, conversationId));
  }
}
