import { Body, Controller, Post, Req, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import type { ApiRequest } from '../../../infra/http/api-request';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ApiIdempotencyKey, IdempotencyKey } from '../../../infra/http/idempotency/idempotency-key.decorator';
import { IdempotencyKeys } from '../../../infra/http/idempotency/idempotency-keys';
import { applyAnswer, type KeptAnswer } from '../../../infra/http/idempotency/kept-answer';
import { jsonFingerprint } from '../../../infra/http/idempotency/request-fingerprint';
import type { Caller } from '../../../kernel/caller';
import type { TemplateMessage } from '../../chat-history/domain/message';
import { SendingService } from '../domain/sending.service';
import {
  headerMediaOf,
  KEPT_MESSAGE_EXAMPLES,
  SEND_TEMPLATE_EXAMPLES,
  SendTemplateDto,
  SentMessageDto,
} from './send-template.dto';

const DEFAULT_LANGUAGE = 'en_US';

/** Endpoint 2 of the specification. */
@ApiTags('Sending')
@Controller('send-template')
export class SendTemplateController {
  constructor(
    private readonly sending: SendingService,
    private readonly idempotency: IdempotencyKeys,
  ) {}

  /** Sends one template message. */
  @Post()
  @RequireScope('messaging:send')
  @ApiOperation({
    summary: 'Send a template message to one recipient',
    description:
      'Answers 201 once the platform accepted the message. 202 with status `Queued` when it has to wait for the pace or the platform: it is kept and sent later. 202 with status `Unknown` when no answer came back: it is settled later and never sent twice by itself.',
  })
  @ApiIdempotencyKey()
  @ApiBody({ type: SendTemplateDto, examples: SEND_TEMPLATE_EXAMPLES })
  @ApiCreatedResponse({ type: SentMessageDto, description: 'The platform accepted the message.' })
  @ApiAcceptedResponse({
    type: SentMessageDto,
    description: 'The message is kept: status `Queued` or `Unknown`.',
    examples: KEPT_MESSAGE_EXAMPLES,
  })
  @ApiFaults(
    'malformed_json',
    'validation_failed',
    'body_too_large',
    'unsupported_media_type',
    'template_not_found',
    'template_language_not_found',
    'template_not_approved',
    'template_not_supported',
    'parameter_mismatch',
    'media_mismatch',
    'recipient_opted_out',
    'sender_missing',
    'platform_rejected',
    'platform_unavailable',
    'sending_paused',
  )
  async send(
    @CurrentCaller() caller: Caller,
    @IdempotencyKey() key: string | undefined,
    @Body() body: SendTemplateDto,
    @Req() request: ApiRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const outcome = await this.idempotency.run(
      { caller, endpoint: 'POST /send-template', key, fingerprint: () => jsonFingerprint(body) },
      async (claim) =>
        answerFor(
          await this.sending.send({
            messageId: claim.resourceId,
            accountId: caller.accountId,
            to: body.to,
            templateName: body.templateName,
            languageCode: body.languageCode ?? DEFAULT_LANGUAGE,
            values: (body.templateParameters ?? []).map(({ text }) => text),
            headerMedia: headerMediaOf(body),
            reference: body.reference ?? null,
            validForSeconds: body.validForSeconds,
            seal: () => claim.seal(),
          }),
        ),
      async (messageId) => {
        const message = await this.sending.presentState(messageId);
        return message && { ...answerFor(message), statusCode: 202 };
      },
    );
    return applyAnswer(request, response, outcome);
  }
}

function answerFor(message: TemplateMessage): KeptAnswer {
  return { statusCode: message.status === 'Sent' ? 201 : 202, body: SentMessageDto.from(message), keep: true };
}
