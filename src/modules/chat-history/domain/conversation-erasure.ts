import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLogService } from '../../accounts/domain/audit-log.service';
import type { ErasedPerson, ErasurePart } from '../../groups/domain/erasure';
import { InboundMedia } from '../../media/domain/inbound-media';
import { conversationId as idOf } from '../../messages/domain/conversation-id';
import { ConversationMessages } from '../../messages/domain/conversation-messages';
import { ConversationNotFoundError } from './chat-history.errors';
import { ConversationErasureStore } from './conversation-erasure-store.port';

/** Messages per transaction, small enough not to delay other work. */
const ERASE_BATCH = 500;

/**
 * Erases contents, numbers, names and files; keeps the number of messages and their outcomes. Works in short
 * transactions; a repeated call resumes an interrupted erasure.
 */
@Injectable()
export class ConversationErasure implements ErasurePart {
  readonly name = 'conversations';

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly store: ConversationErasureStore,
    private readonly messages: ConversationMessages,
    private readonly media: InboundMedia,
    private readonly audit: AuditLogService,
  ) {}

  /** Erases a whole conversation; throws ConversationNotFoundError. */
  async eraseConversation(caller: Caller, conversationId: string): Promise<void> {
    const { accountId } = caller;
    let found = await this.store.conversations(accountId, [conversationId], null);
    if (found.length === 0) throw new ConversationNotFoundError();
    // Recorded first, so that an interrupted erasure is in the log too.
    await this.audit.record(caller, { action: 'conversation.erased', targetId: null });
    // If the conversation is joined into another one meanwhile, the same id finds that one.
    while (found.length > 0) {
      for (const { id } of found) await this.eraseWhole(accountId, id);
      found = await this.store.conversations(accountId, [conversationId], null);
    }
  }

  /**
   * Erases messages recorded before the request, by phone number and user id; conversations with newer messages remain.
   */
  async erase(person: ErasedPerson): Promise<{ done: boolean }> {
    const { accountId, requestedAt } = person;
    for (const conversationId of await this.conversationsOf(person)) {
      if (!(await this.eraseMessages(accountId, conversationId, requestedAt))) return { done: false };
      await this.removeEmpty(accountId, conversationId);
    }
    return { done: true };
  }

  /**
   * A person may have written under a number and under a user id before the two were linked. The linking conversation
   * comes last: without it a repeated call could not find the other one.
   */
  private async conversationsOf({ accountId, phone, userId }: ErasedPerson): Promise<Set<string>> {
    const ids = [phone, userId].filter((one) => one !== null).map((one) => idOf(accountId, one));
    const found = await this.store.conversations(accountId, ids, userId);
    const linked = found.flatMap((one) => (one.userId === null ? [] : [idOf(accountId, one.userId)]));
    return new Set([...linked, ...found.map(({ id }) => id), ...ids]);
  }

  private async eraseWhole(accountId: string, conversationId: string): Promise<void> {
    let isGone = false;
    while (!isGone) {
      const isAll = await this.eraseMessages(accountId, conversationId, null);
      isGone = isAll && (await this.removeEmpty(accountId, conversationId));
    }
  }

  /** Returns whether all messages of the conversation are erased. */
  private eraseMessages(accountId: string, conversationId: string, createdBefore: Date | null): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const { erased, isAll } = await this.messages.erase(accountId, conversationId, createdBefore, ERASE_BATCH);
      await this.media.remove(erased.filter(({ direction }) => direction === 'Inbound').map(({ id }) => id));
      return isAll;
    });
  }

  private removeEmpty(accountId: string, conversationId: string): Promise<boolean> {
    return this.unitOfWork.run(() => this.store.removeEmpty(accountId, conversationId));
  }
}
