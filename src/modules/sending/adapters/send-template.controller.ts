import { Body, Controller, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiCreatedResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { CurrentClaim, Idempotent } from '../../../infra/http/idempotency/idempotent.decorator';
import type { Caller } from '../../../kernel/caller';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { PlatformUnavailableError } from '../../../kernel/platform.errors';
import { ParameterMismatchError, TEMPLATE_SEND_ERRORS } from '../../templates/domain/templates.errors';
import { SendingService } from '../domain/sending.service';
import { RecipientOptedOutError, SendingPausedError } from '../domain/sending.errors';
import { REFUSED_MESSAGE } from './refused-message';
import {
  STORED_MESSAGE_EXAMPLES,
  SEND_TEMPLATE_EXAMPLES,
  SendTemplateDto,
  SentMessageDto,
  templateSendOf,
} from './send-template.dto';

/** Endpoint 2 of the specification. */
@ApiTags('Sending')
@Controller('send-template')
export class SendTemplateController {
  constructor(readonly sending: SendingService) {}

  /** Sends one template message. */
  @Post()
  @RequireScope('messaging:send')
  @ApiOperation({
    summary: 'Send a template message to one recipient',
    description:
      'Returns 201 once the platform has accepted the message; 202 with status `Queued` if it must wait for the ' +
      "sender's pace or the platform: it is stored and sent later; 202 with status `Unknown` if the platform did not answer: the outcome is settled later, and the message is never resent automatically.",
  })
  @Idempotent(SendTemplateDto, async ({ sending }: SendTemplateController, { resourceId }) => {
    const message = await sending.currentState(resourceId);
    return message && { statusCode: 202, body: SentMessageDto.from(message) };
  })
  @ApiBody({ type: SendTemplateDto, examples: SEND_TEMPLATE_EXAMPLES })
  @ApiCreatedResponse({ type: SentMessageDto, description: 'The platform accepted the message.' })
  @ApiAcceptedResponse({
    type: SentMessageDto,
    description: 'The message is stored: status `Queued` or `Unknown`.',
    examples: STORED_MESSAGE_EXAMPLES,
  })
  @JsonBody()
  @ApiErrors(
    ParameterMismatchError,
    RecipientOptedOutError,
    REFUSED_MESSAGE,
    PlatformUnavailableError,
    SendingPausedError,
    ...TEMPLATE_SEND_ERRORS,
  )
  async sendTemplate(
    @CurrentCaller() { accountId, keyId }: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() body: SendTemplateDto,
  ): Promise<Answer> {
    const message = await this.sending.send({ claim, accountId, keyId, ...templateSendOf(body) });
    return { statusCode: message.status === 'Sent' ? 201 : 202, body: SentMessageDto.from(message) };
  }
}
