import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { FreeFormMessage, FreeFormType } from '../../messages/domain/message';
import type { MessageContent } from '../../messages/domain/message-content';
import { ReplyContext } from '../../chat-history/domain/reply-context';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { DirectSends } from './direct-sends';
import type { Problem } from './send-state';
import {
  AnsweredMessageNotFoundError,
  AnsweredMessageNotSentError,
  MessageRejectedError,
  RecipientOptedOutError,
  WindowClosedError,
} from './sending.errors';

/** A free-form reply in a conversation. */
export interface ReplyRequest {
  /** Gives the message its id; sealed in the transaction that records the message. */
  claim: CreationClaim;
  accountId: string;
  /** The API key of the request. */
  keyId: string;
  conversationId: string;
  type: FreeFormType;
  /** Without the message it replies or reacts to. */
  content: MessageContent;
  /** The message it replies to. */
  replyTo: string | null;
  /** For a Reaction: the message and the emoji; null removes the reaction. */
  reaction: { messageId: string; emoji: string | null } | null;
  reference: string | null;
}

/** Sends free-form replies within 24 h of the person's last message and returns the outcome. */
@Injectable()
export class Replies {
  constructor(
    private readonly context: ReplyContext,
    private readonly optOuts: OptOutsService,
    private readonly directSends: DirectSends,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a reply: see DirectSends. Also throws ConversationNotFoundError, RecipientOptedOutError, WindowClosedError
   * (from this service or the platform), AnsweredMessageNotFoundError, AnsweredMessageNotSentError and
   * MessageRejectedError.
   */
  async send(request: ReplyRequest): Promise<FreeFormMessage> {
    const { accountId, type } = request;
    const messageId = request.claim.resourceId;
    const conversation = await this.context.conversation(accountId, request.conversationId);
    const { contactPhone, userId, windowExpiresAt } = conversation;
    const person = contactPhone ?? userId ?? '';
    if (await this.optOuts.isOptedOut(accountId, person)) throw new RecipientOptedOutError();
    const now = this.clock.now();
    if (windowExpiresAt === null || windowExpiresAt <= now) throw new WindowClosedError(windowExpiresAt);
    const content = await this.contentOf({ ...request, conversationId: conversation.id });
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
      keyId: request.keyId,
      claim: request.claim,
    });
  }

  /** The current reply; null if none has this id. */
  async currentState(messageId: string): Promise<FreeFormMessage | null> {
    const message = await this.directSends.currentState(messageId);
    return message === null || message.type === 'Template' ? null : message;
  }

  private async contentOf(request: ReplyRequest): Promise<MessageContent> {
    const { content, replyTo, reaction } = request;
    if (reaction !== null) {
      const platformMessageId = await this.platformIdOf(request, reaction.messageId, 'reaction.messageId');
      return { ...content, reaction: { platformMessageId, emoji: reaction.emoji } };
    }
    if (replyTo === null) return content;
    return { ...content, replyTo: await this.platformIdOf(request, replyTo, 'replyTo') };
  }

  private async platformIdOf(
    { accountId, conversationId }: ReplyRequest,
    messageId: string,
    field: string,
  ): Promise<string> {
    const platformId = await this.context.platformIdOf(accountId, conversationId, messageId);
    if (platformId === undefined) throw new AnsweredMessageNotFoundError(field);
    if (platformId === null) throw new AnsweredMessageNotSentError(field);
    return platformId;
  }
}

function refusalOf(problem: Problem, windowExpiresAt: Date, messageId: string): Error {
  if (problem.code === 'window_closed') return new WindowClosedError(windowExpiresAt, messageId);
  return new MessageRejectedError(problem, messageId);
}
