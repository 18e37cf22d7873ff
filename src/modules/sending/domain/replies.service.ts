import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { FreeFormMessage, FreeFormType } from '../../chat-history/domain/message';
import type { MessageContent } from '../../chat-history/domain/message-content';
import { ReplyContext } from '../../chat-history/domain/reply-context.service';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { DirectSends } from './direct-sends.service';
import type { Problem } from './send-state';
import {
  AnsweredMessageNotFoundError,
  AnsweredMessageNotSentError,
  PlatformRejectedError,
  RecipientOptedOutError,
  WindowClosedError,
} from './sending.errors';

/** Something written freely into a conversation. */
export interface ReplyRequest {
  /** Chosen beforehand, so that a repeated request finds its message. */
  messageId: string;
  accountId: string;
  conversationId: string;
  type: FreeFormType;
  /** Without what it answers or reacts to. */
  content: MessageContent;
  /** The message that it answers. */
  replyTo: string | null;
  /** Of a Reaction: the message, and the emoji; none takes the reaction away. */
  reaction: { messageId: string; emoji: string | null } | null;
  reference: string | null;
  /** Runs in the transaction that records the message; its failure leaves no trace of the message. */
  seal: () => Promise<void>;
}

/** Sends what is written freely, within 24 h of the person's own message, and says what became of it. */
@Injectable()
export class Replies {
  constructor(
    private readonly context: ReplyContext,
    private readonly optOuts: OptOutsService,
    private readonly directSends: DirectSends,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends it: see DirectSends. Throws ConversationNotFoundError, RecipientOptedOutError, WindowClosedError, also when the
   * platform says so, AnsweredMessageNotFoundError, AnsweredMessageNotSentError and PlatformRejectedError too.
   */
  async send(request: ReplyRequest): Promise<FreeFormMessage> {
    const { accountId, messageId, type } = request;
    const conversation = await this.context.conversation(accountId, request.conversationId);
    const { contactPhone, userId, windowExpiresAt } = conversation;
    const person = contactPhone ?? userId ?? '';
    if (await this.optOuts.isOptedOut(accountId, person)) throw new RecipientOptedOutError();
    const now = this.clock.now();
    if (windowExpiresAt === null || windowExpiresAt <= now) throw new WindowClosedError(windowExpiresAt);
    const content = await this.contentOf(request);
    return this.directSends.send({
      message: {
        id: messageId,
        accountId,
        type,
        contactPhone,
        contactUserId: userId,
        content,
        reference: request.reference,
        jobId: null,
        rowNumber: null,
        status: 'Queued',
        problem: null,
        platformMessageId: null,
        createdAt: now,
      },
      content: { kind: 'freeForm', type, content },
      validUntil: () => windowExpiresAt,
      refusal: (problem) => refusalOf(problem, windowExpiresAt, messageId),
      seal: request.seal,
    });
  }

  /** The reply as it is now; null when there is none with this id. */
  async presentState(messageId: string): Promise<FreeFormMessage | null> {
    const message = await this.directSends.presentState(messageId);
    return message === null || message.type === 'Template' ? null : message;
  }

  private async contentOf({ conversationId, content, replyTo, reaction }: ReplyRequest): Promise<MessageContent> {
    if (reaction !== null) {
      const platformMessageId = await this.platformIdOf(conversationId, reaction.messageId, 'reaction.messageId');
      return { ...content, reaction: { platformMessageId, emoji: reaction.emoji } };
    }
    if (replyTo === null) return content;
    return { ...content, replyTo: await this.platformIdOf(conversationId, replyTo, 'replyTo') };
  }

  private async platformIdOf(conversationId: string, messageId: string, field: string): Promise<string> {
    const platformId = await this.context.platformIdOf(conversationId, messageId);
    if (platformId === undefined) throw new AnsweredMessageNotFoundError(field);
    if (platformId === null) throw new AnsweredMessageNotSentError(field);
    return platformId;
  }
}

function refusalOf(problem: Problem, windowExpiresAt: Date, messageId: string): Error {
  if (problem.code === 'window_closed') return new WindowClosedError(windowExpiresAt, messageId);
  return new PlatformRejectedError(problem.message, problem.platformCode, messageId);
}
