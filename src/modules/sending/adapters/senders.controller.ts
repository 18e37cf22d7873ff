import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import type { Caller } from '../../../kernel/caller';
import { SenderStatesService } from '../domain/sender-states.service';
import { SenderStateDto, SenderStatesDto } from './senders.dto';

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
      'The phone numbers that messages of the account are sent from, with their limits, what is used of them, and when the platform last reported.',
  })
  @ApiOkResponse({ description: 'The senders.', type: SenderStatesDto })
  async listSenders(@CurrentCaller() caller: Caller): Promise<SenderStatesDto> {
    return { items: (await this.states.ofAccount(caller.accountId)).map((state) => SenderStateDto.from(state)) };
  }
}
