import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../kernel/caller';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AuditLogService } from '../../accounts/domain/audit-log.service';
import type { ErasedPerson, ErasurePart } from '../../groups/domain/erasure';
import { InboundMedia } from '../../media/domain/inbound-media.service';
import { conversationId as idOf } from '../../messages/domain/conversation-id';
import { ConversationMessages } from '../../messages/domain/conversation-messages.service';
import { ConversationNotFoundError } from './chat-history.errors';
import { ConversationErasureStore } from './conversation-erasure-store.port';

/** Messages of one transaction: few enough that other work need not wait. */
const ERASED_AT_ONCE = 500;

/**
 * Erases contents, numbers, names and files; the number of messages and their outcomes stay. It works in short transactions;
 * the next call continues what was interrupted.
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
    // Before the first message goes: an interrupted erasure has happened too.
    await this.audit.record(caller, { action: 'conversation.erased', targetId: null });
    // What was joined to another conversation meanwhile is found there by the same id.
    while (found.length > 0) {
      for (const { id } of found) await this.eraseWhole(accountId, id);
      found = await this.store.conversations(accountId, [conversationId], null);
    }
  }

  /** Erases what was recorded before the request, by phone number and by user id; a conversation that continues stays. */
  async erase(person: ErasedPerson): Promise<{ done: boolean }> {
    const { accountId, requestedAt } = person;
    for (const conversationId of await this.conversationsOf(person)) {
      if (!(await this.eraseMessages(accountId, conversationId, requestedAt))) return { done: false };
      await this.removeEmpty(accountId, conversationId);
    }
    return { done: true };
  }

  /**
   * A person may have written under a number and under a user id before the two were known to belong together. The
   * conversation that links them comes last, as a later call could not find the other one without it.
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

  /** Whether there are no more messages of the conversation to erase. */
  private eraseMessages(accountId: string, conversationId: string, madeBefore: Date | null): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const { erased, isAll } = await this.messages.erase(accountId, conversationId, madeBefore, ERASED_AT_ONCE);
      await this.media.remove(erased.filter(({ direction }) => direction === 'Inbound').map(({ id }) => id));
      return isAll;
    });
  }

  private removeEmpty(accountId: string, conversationId: string): Promise<boolean> {
    return this.unitOfWork.run(() => this.store.removeEmpty(accountId, conversationId));
  }
}
