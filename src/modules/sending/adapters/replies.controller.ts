import { Body, Controller, Param, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiCreatedResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import type { ApiRequest } from '../../../infra/http/api-request';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ApiIdempotencyKey, IdempotencyKey } from '../../../infra/http/idempotency/idempotency-key.decorator';
import { IdempotencyKeys } from '../../../infra/http/idempotency/idempotency-keys';
import { applyAnswer, type KeptAnswer } from '../../../infra/http/idempotency/kept-answer';
import { jsonFingerprint } from '../../../infra/http/idempotency/request-fingerprint';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { FreeFormMessage } from '../../chat-history/domain/message';
import { Replies } from '../domain/replies.service';
import { contentOf, KEPT_REPLY_EXAMPLES, REPLY_EXAMPLES, ReplyDto, SentReplyDto } from './replies.dto';
import { DEFAULT_TYPE } from './reply-fields.decorators';

/** What is written freely into a conversation. */
@ApiTags('Chat history')
@Controller('conversations')
export class RepliesController {
  constructor(
    private readonly replies: Replies,
    private readonly idempotency: IdempotencyKeys,
  ) {}

  /** Sends one reply. */
  @Post(':conversationId/messages')
  @RequireScope('messaging:manage')
  @ApiOperation({
    summary: 'Reply in a conversation',
    description:
      "Sends a text, a file, a location or a reaction within 24 hours of the person's latest message; after that only a template can be sent. The answers are those of `POST /send-template`: 201, or 202 with status `Queued` or `Unknown`. A reply that still waits when the window closes fails with `window_closed`. Nobody who opted out is written to, also not inside the window.",
  })
  @ApiParam({
    name: 'conversationId',
    description: 'The id of a conversation of your account.',
    format: 'uuid',
    example: '5f0c6a4e-9d3b-8a51-b7c2-6e1d40a8f917',
  })
  @ApiIdempotencyKey()
  @ApiBody({ type: ReplyDto, examples: REPLY_EXAMPLES })
  @ApiCreatedResponse({ type: SentReplyDto, description: 'The platform accepted the message.' })
  @ApiAcceptedResponse({
    type: SentReplyDto,
    description: 'The message is kept: status `Queued` or `Unknown`.',
    examples: KEPT_REPLY_EXAMPLES,
  })
  @ApiFaults(
    'malformed_json',
    'validation_failed',
    'body_too_large',
    'unsupported_media_type',
    'conversation_not_found',
    'message_not_found',
    'message_not_sent',
    'window_closed',
    'recipient_opted_out',
    'sender_missing',
    'platform_rejected',
    'platform_unavailable',
    'sending_paused',
  )
  async send(
    @CurrentCaller() caller: Caller,
    @Param('conversationId', new ResourceIdPipe('conversation')) conversationId: string,
    @IdempotencyKey() key: string | undefined,
    @Body() body: ReplyDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const endpoint = `POST /conversations/${conversationId}/messages`;
    const outcome = await this.idempotency.run(
      { caller, endpoint, key, fingerprint: () => jsonFingerprint(body) },
      async (claim) =>
        answerFor(
          conversationId,
          await this.replies.send({
            messageId: claim.resourceId,
            accountId: caller.accountId,
            conversationId,
            type: body.type ?? DEFAULT_TYPE,
            content: contentOf(body),
            replyTo: body.replyTo?.toLowerCase() ?? null,
            reaction: body.reaction
              ? { messageId: body.reaction.messageId.toLowerCase(), emoji: body.reaction.emoji || null }
              : null,
            reference: body.reference ?? null,
            seal: () => claim.seal(),
          }),
        ),
      async (messageId) => {
        const message = await this.replies.presentState(messageId);
        return message && { ...answerFor(conversationId, message), statusCode: 202 };
      },
    );
    return applyAnswer(request, response, outcome);
  }
}

function answerFor(conversationId: string, message: FreeFormMessage): KeptAnswer {
  const statusCode = message.status === 'Sent' ? 201 : 202;
  return { statusCode, body: SentReplyDto.from(conversationId, message), keep: true };
}
