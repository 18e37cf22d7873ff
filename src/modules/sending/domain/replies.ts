import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { Sender } from '../../accounts/domain/sender';
import { SendersService } from '../../accounts/domain/senders.service';
import type { FreeFormMessage, FreeFormType } from '../../messages/domain/message';
import type { MessageContent } from '../../messages/domain/message-content';
import { ReplyContext } from '../../chat-history/domain/reply-context';
import { OptOutsService } from '../../groups/domain/opt-outs.service';
import { DirectSends } from './direct-sends';
import { OptOutCheck } from './opt-out-check';
import {
  AnsweredMessageNotFoundError,
  AnsweredMessageNotSentError,
  AnsweredMessageOfOtherSenderError,
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
  /** Sends it to a person who has written since their opt-out. */
  despiteOptOut: boolean;
}

/** Sends free-form replies within 24 h of the person's last message and returns the outcome. */
@Injectable()
export class Replies {
  constructor(
    private readonly senders: SendersService,
    private readonly context: ReplyContext,
    private readonly optOuts: OptOutsService,
    private readonly optOutCheck: OptOutCheck,
    private readonly directSends: DirectSends,
    private readonly clock: Clock,
  ) {}

  /**
   * Sends a reply from the sender that the person wrote to last: see DirectSends. Also throws SenderDeletedError,
   * ConversationNotFoundError, RecipientOptedOutError, WindowClosedError, AnsweredMessageNotFoundError, AnsweredMessageNotSentError and
   * AnsweredMessageOfOtherSenderError.
   */
  async send(request: ReplyRequest): Promise<FreeFormMessage> {
    const { accountId, type } = request;
    const conversation = await this.context.conversation(accountId, request.conversationId);
    const { contactPhone, userId, windowExpiresAt } = conversation;
    const sender = await this.senders.recorded(accountId, conversation.senderId);
    const person = contactPhone ?? userId ?? '';
    if (await this.optOuts.isOptedOut(accountId, person)) {
      const isAnswer = request.despiteOptOut && (await this.optOutCheck.mayAnswer(accountId, person));
      if (!isAnswer) throw new RecipientOptedOutError();
    }
    const now = this.clock.now();
    if (windowExpiresAt === null || windowExpiresAt <= now) throw new WindowClosedError(windowExpiresAt);
    const content = await this.contentOf({ ...request, conversationId: conversation.id }, sender);
    return this.directSends.send({
      message: {
        id: request.claim.resourceId,
        accountId,
        senderId: sender.id,
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
      validity: { windowExpiresAt },
      keyId: request.keyId,
      claim: request.claim,
    });
  }

  /** The current reply; null if none has this id. */
  async currentState(messageId: string): Promise<FreeFormMessage | null> {
    const message = await this.directSends.currentState(messageId);
    return message === null || message.type === 'Template' ? null : message;
  }

  private async contentOf(request: ReplyRequest, sender: Sender): Promise<MessageContent> {
    const { content, replyTo, reaction } = request;
    if (reaction !== null) {
      const platformMessageId = await this.platformIdOf(request, sender, reaction.messageId, 'reaction.messageId');
      return { ...content, reaction: { platformMessageId, emoji: reaction.emoji } };
    }
    if (replyTo === null) return content;
    return { ...content, replyTo: await this.platformIdOf(request, sender, replyTo, 'replyTo') };
  }

  private async platformIdOf(
    { accountId, conversationId }: ReplyRequest,
    sender: Sender,
    messageId: string,
    field: string,
  ): Promise<string> {
    const message = await this.context.message(accountId, conversationId, messageId);
    if (!message) throw new AnsweredMessageNotFoundError(field);
    const { platformMessageId, senderId } = message;
    if (platformMessageId === null) throw new AnsweredMessageNotSentError(field);
    const recordedId = await this.senders.recordedId(accountId, senderId);
    // A number that was deleted and added again is another sender.
    const recorded = recordedId === null || recordedId === sender.id ? sender : await this.senders.byId(recordedId);
    if (recorded?.phoneNumberId !== sender.phoneNumberId) throw new AnsweredMessageOfOtherSenderError(field);
    return platformMessageId;
  }
}
