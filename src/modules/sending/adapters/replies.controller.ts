import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiCreatedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { CurrentClaim, Idempotent } from '../../../infra/http/idempotency/idempotent.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { SenderDeletedError } from '../../accounts/domain/accounts.errors';
import { ConversationNotFoundError } from '../../chat-history/domain/chat-history.errors';
import { MessageNotFoundError } from '../../messages/domain/messages.errors';
import { Replies } from '../domain/replies';
import {
  AnsweredMessageNotSentError,
  AnsweredMessageOfOtherSenderError,
  MESSAGE_SEND_ERRORS,
  WindowClosedError,
} from '../domain/sending.errors';
import { REFUSED_MESSAGE } from './refused-message';
import { STORED_REPLY_EXAMPLES, REPLY_EXAMPLES, ReplyDto, replyOf, SentReplyDto } from './replies.dto';

/** Replies in a conversation. */
@ApiTags('Chat history')
@Controller('conversations')
export class RepliesController {
  constructor(readonly replies: Replies) {}

  /** Sends one reply. */
  @Post(':conversationId/messages')
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Reply in a conversation',
    description:
      "Sends a text, a file, a location, buttons, a list, a link or a reaction within 24 hours of the person's latest message; after that only " +
      'a template can be sent. The responses are those of `POST /send-template`: 201, or 202 with status `Queued` or ' +
      '`Unknown`. A reply still waiting when the window closes fails with `window_closed`. People who have ' +
      'opted out get none, unless `despiteOptOut` answers what they wrote since.',
  })
  @ApiParam({
    name: 'conversationId',
    description: 'Id of a conversation of your account.',
    format: 'uuid',
    example: '5f0c6a4e-9d3b-8a51-b7c2-6e1d40a8f917',
  })
  @Idempotent(ReplyDto, async ({ replies }: RepliesController, { resourceId, params }) => {
    const message = await replies.currentState(resourceId);
    const conversationId = params.conversationId!.toLowerCase();
    return message && { statusCode: 202, body: SentReplyDto.from(conversationId, message) };
  })
  @ApiBody({ type: ReplyDto, examples: REPLY_EXAMPLES })
  @ApiCreatedResponse({ type: SentReplyDto, description: 'The platform accepted the message.' })
  @ApiAcceptedResponse({
    type: SentReplyDto,
    description: 'The message is stored: status `Queued` or `Unknown`.',
    examples: STORED_REPLY_EXAMPLES,
  })
  @JsonBody()
  @ApiErrors(
    ConversationNotFoundError,
    SenderDeletedError,
    MessageNotFoundError,
    AnsweredMessageNotSentError,
    AnsweredMessageOfOtherSenderError,
    WindowClosedError,
    REFUSED_MESSAGE,
    ...MESSAGE_SEND_ERRORS,
  )
  async sendReply(
    @CurrentCaller() { accountId, keyId }: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Param('conversationId', new ResourceIdPipe(ConversationNotFoundError)) conversationId: string,
    @Body() body: ReplyDto,
  ): Promise<Answer> {
    const message = await this.replies.send({ claim, accountId, keyId, conversationId, ...replyOf(body) });
    const statusCode = message.status === 'Sent' ? 201 : 202;
    return { statusCode, body: SentReplyDto.from(conversationId, message) };
  }
}
