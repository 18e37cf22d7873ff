import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import type { Caller } from '../../../kernel/caller';
import { PlatformRejectedError, PlatformUnavailableError } from '../../../kernel/platform.errors';
import { AccountWithoutSenderError } from '../../accounts/domain/accounts.errors';
import { SenderStatesService } from '../domain/sender-states.service';
import { SenderStatesDto } from './senders.dto';

/** The phone numbers of the caller's account. */
@ApiTags('Sending')
@Controller('senders')
export class SendersController {
  constructor(private readonly states: SenderStatesService) {}

  @Get()
  @RequireScope('messaging:read', 'jobs:read')
  @ApiOperation({
    summary: 'List senders',
    description:
      'Lists the phone numbers that the account sends from, with their limits, current usage and the time of the ' +
      "platform's last report.",
  })
  @ApiOkResponse({ description: 'The senders.', type: SenderStatesDto })
  async listSenders(@CurrentCaller() caller: Caller): Promise<SenderStatesDto> {
    return SenderStatesDto.from(await this.states.ofAccount(caller.accountId));
  }

  /** Syncs the limits with the platform. */
  @Post('sync')
  @HttpCode(200)
  @RequireScope('messaging:send')
  @ApiOperation({
    summary: 'Sync the limits with the platform',
    description:
      'Reads pace, messaging tier, quality and display number from the platform now and returns the same as `GET ' +
      '/senders`. Operator settings take precedence. If the platform refuses the access token, the response is 422 ' +
      '`platform_credentials_invalid`. Calls within 10 seconds of the last sync return its result. The service also ' +
      'syncs the limits every 15 minutes, every hour while the platform reports on the number.',
  })
  @ApiOkResponse({ description: 'The senders.', type: SenderStatesDto })
  @ApiErrors(AccountWithoutSenderError, PlatformRejectedError, PlatformUnavailableError)
  async syncSenders(@CurrentCaller() caller: Caller): Promise<SenderStatesDto> {
    return SenderStatesDto.from(await this.states.syncOfAccount(caller.accountId));
  }
}
