import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { AccountWithoutSenderError } from '../../accounts/domain/accounts.errors';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import { ConversationNotFoundError, MessageNotFoundError } from './chat-history.errors';
import { ConversationStore } from './conversation-store.port';
import { isToBeRead } from './inbound-message';
import type { KeptMessage } from './kept-message';
import { MessageArchive, type PlacedMessage } from './message-archive.port';
import { beforeMoment } from './place';
import { ReadReceipts } from './read-receipts.port';

/** The platform takes read receipts for messages of the last 30 days. */
const RECEIPTS_MS = 30 * 86_400_000;
/** How long the caller waits for the platform: what it says changes nothing here. */
const PATIENCE_MS = 3_000;
/** Messages that arrived after the one that was seen are counted up to here; more than that stay unread as they are. */
const MOST_COUNTED = 200;

/** Whether the platform knows that the person's messages were read: `None` where there is nothing to tell. */
export type ReceiptState = 'Sent' | 'NotSent' | 'None';

/** What is left unread, and whether the platform knows. */
export interface ReadMark {
  conversationId: string;
  unreadCount: number;
  readReceipt: ReceiptState;
}

/** Marks conversations as read, here and at the platform. */
@Injectable()
export class ReadMarks {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly conversations: ConversationStore,
    private readonly archive: MessageArchive,
    private readonly senders: SendersService,
    private readonly receipts: ReadReceipts,
    private readonly clock: Clock,
  ) {}

  /**
   * Marks everything that has arrived as read, or everything up to the message that was seen last. What arrives meanwhile
   * stays unread. Throws ConversationNotFoundError, MessageNotFoundError.
   */
  async mark(accountId: string, conversationId: string, seenMessageId?: string): Promise<ReadMark> {
    const { unreadCount, latest } = await this.unitOfWork.run(async () => {
      // Who records an inbound message counts it after the lock: it is not among those that are read here.
      const conversation = await this.conversations.lock(accountId, conversationId);
      if (!conversation) throw new ConversationNotFoundError();
      const seen = await this.seen(accountId, conversationId, seenMessageId);
      const unread = Math.min(conversation.unreadCount, await this.newerThan(accountId, conversationId, seen));
      if (unread !== conversation.unreadCount) await this.conversations.setUnread(conversationId, unread);
      return { unreadCount: unread, latest: await this.latestReceived(accountId, conversationId, seen) };
    });
    return { conversationId, unreadCount, readReceipt: await this.tellPlatform(accountId, latest) };
  }

  private async seen(accountId: string, conversationId: string, messageId?: string): Promise<PlacedMessage | null> {
    if (messageId === undefined) return null;
    const found = await this.archive.find(accountId, messageId);
    if (found?.message.conversationId !== conversationId) throw new MessageNotFoundError();
    return found;
  }

  private async newerThan(accountId: string, conversationId: string, seen: PlacedMessage | null): Promise<number> {
    if (!seen) return 0;
    const filter = { conversationId, direction: 'Inbound', later: seen.place } as const;
    const { messages, next } = await this.archive.oldest(accountId, filter, MOST_COUNTED);
    return next ? Infinity : messages.filter(isToBeRead).length;
  }

  /** The latest message of the person that the platform may be told about. */
  private async latestReceived(
    accountId: string,
    conversationId: string,
    seen: PlacedMessage | null,
  ): Promise<KeptMessage | null> {
    if (seen?.message.direction === 'Inbound' && isToBeRead(seen.message)) return seen.message;
    const later = beforeMoment(new Date(this.clock.now().getTime() - RECEIPTS_MS));
    const filter = { conversationId, direction: 'Inbound', later, earlier: seen?.place } as const;
    const { messages } = await this.archive.newest(accountId, filter, MOST_COUNTED);
    return messages.find(isToBeRead) ?? null;
  }

  private async tellPlatform(accountId: string, latest: KeptMessage | null): Promise<ReceiptState> {
    const isOld = latest && this.clock.now().getTime() - latest.createdAt.getTime() > RECEIPTS_MS;
    if (!latest?.platformMessageId || isOld) return 'None';
    if (latest.readAt) return 'Sent';
    const sender = await this.senderOf(accountId);
    if (!sender || sender.sendingPaused) return 'NotSent';
    const waiting = new AbortController();
    const told = this.receipts.tell(sender, latest.platformMessageId).then(async (isTold) => {
      if (isTold) await this.archive.noteReadReceipt(latest.id, this.clock.now());
      return isTold;
    });
    try {
      const tooLong = this.clock.sleep(PATIENCE_MS, waiting.signal).then(() => false);
      return (await Promise.race([told.catch(() => false), tooLong])) ? 'Sent' : 'NotSent';
    } finally {
      waiting.abort();
    }
  }

  private async senderOf(accountId: string): Promise<Sender | null> {
    try {
      return await this.senders.ofAccount(accountId);
    } catch (error) {
      if (error instanceof AccountWithoutSenderError) return null;
      throw error;
    }
  }
}
