import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AccountWithoutSenderError, SenderDeletedError } from '../../accounts/domain/accounts.errors';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { ConversationMessages } from '../../messages/domain/conversation-messages';
import { MessageNotFoundError } from '../../messages/domain/messages.errors';
import { ConversationNotFoundError } from './chat-history.errors';
import { ConversationStore } from './conversation-store.port';
import { countsAsUnread } from '../../messages/domain/inbound-message';
import type { PositionedMessage, StoredMessage } from '../../messages/domain/stored-message';
import { beforeMoment } from '../../../kernel/time-cursor';
import { ReadReceipts } from './read-receipts.port';

/** The platform accepts read receipts for messages of the last 30 days. */
const RECEIPTS_MS = 30 * 86_400_000;
/** How long the caller waits for the platform's response. */
const RESPONSE_TIMEOUT_MS = 3_000;
/** Messages after the last seen one are counted up to this limit; beyond it the unread count does not change. */
const MAX_COUNTED = 200;

/** Whether the platform accepted a read receipt; `None`: none was due. */
export type ReceiptState = 'Sent' | 'NotSent' | 'None';

/** The remaining unread count and the state of the read receipt. */
export interface ReadMark {
  conversationId: string;
  unreadCount: number;
  readReceipt: ReceiptState;
}

/** Marks conversations as read, locally and on the platform. */
@Injectable()
export class ReadMarks {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly conversations: ConversationStore,
    private readonly messages: ConversationMessages,
    private readonly senders: SendersService,
    private readonly receipts: ReadReceipts,
    private readonly clock: Clock,
  ) {}

  /**
   * Marks all messages as read, or those up to the last one seen; later arrivals stay unread. `typing` shows the person
   * a typing indicator, even if everything was already read. Throws ConversationNotFoundError, MessageNotFoundError.
   */
  async mark(
    accountId: string,
    conversationId: string,
    { seenMessageId, typing }: { seenMessageId?: string; typing: boolean },
  ): Promise<ReadMark> {
    const { id, unreadCount, latest } = await this.unitOfWork.run(async () => {
      // Messages recorded concurrently are counted after this lock, so they stay unread.
      const conversation = await this.conversations.lock(accountId, conversationId);
      if (!conversation) throw new ConversationNotFoundError();
      const seen = await this.seen(accountId, conversation.id, seenMessageId);
      const unread = Math.min(conversation.unreadCount, await this.newerThan(accountId, conversation.id, seen));
      if (unread !== conversation.unreadCount) await this.conversations.setUnread(conversation.id, unread);
      const received = await this.latestReceived(accountId, conversation.id, seen);
      return { id: conversation.id, unreadCount: unread, latest: received };
    });
    return { conversationId: id, unreadCount, readReceipt: await this.sendReceipt(latest, typing) };
  }

  private async seen(accountId: string, conversationId: string, messageId?: string): Promise<PositionedMessage | null> {
    if (messageId === undefined) return null;
    const found = await this.messages.find(accountId, conversationId, messageId);
    if (!found) throw new MessageNotFoundError();
    return found;
  }

  private async newerThan(accountId: string, conversationId: string, seen: PositionedMessage | null): Promise<number> {
    if (!seen) return 0;
    const { messages, next } = await this.messages.inboundAfter(accountId, conversationId, seen.position, MAX_COUNTED);
    return next ? Infinity : messages.filter(countsAsUnread).length;
  }

  /** The latest inbound message that the platform accepts a read receipt for. */
  private async latestReceived(
    accountId: string,
    conversationId: string,
    seen: PositionedMessage | null,
  ): Promise<StoredMessage | null> {
    if (seen?.message.direction === 'Inbound' && countsAsUnread(seen.message)) return seen.message;
    const range = {
      after: beforeMoment(new Date(this.clock.now().getTime() - RECEIPTS_MS)),
      before: seen?.position,
    };
    const messages = await this.messages.latestInbound(accountId, conversationId, range, MAX_COUNTED);
    return messages.find(countsAsUnread) ?? null;
  }

  private async sendReceipt(latest: StoredMessage | null, typing: boolean): Promise<ReceiptState> {
    const isOld = latest && this.clock.now().getTime() - latest.createdAt.getTime() > RECEIPTS_MS;
    if (!latest?.platformMessageId || isOld || (latest.readAt && !typing)) return 'None';
    const sender = await this.senderOf(latest);
    if (!sender || sender.sendingPaused) return 'NotSent';
    const waiting = new AbortController();
    const sent = this.receipts.send(sender, latest.platformMessageId, typing).then(async (isAccepted) => {
      if (isAccepted) await this.messages.setReadReceipt(latest.id, this.clock.now());
      return isAccepted;
    });
    try {
      const timeout = this.clock.sleep(RESPONSE_TIMEOUT_MS, waiting.signal).then(() => false);
      return (await Promise.race([sent.catch(() => false), timeout])) ? 'Sent' : 'NotSent';
    } finally {
      waiting.abort();
    }
  }

  private async senderOf({ accountId, senderId }: StoredMessage): Promise<Sender | null> {
    try {
      return await this.senders.recorded(accountId, senderId);
    } catch (error) {
      if (error instanceof AccountWithoutSenderError || error instanceof SenderDeletedError) return null;
      throw error;
    }
  }
}
