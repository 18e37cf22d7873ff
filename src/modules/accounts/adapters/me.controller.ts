import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireKey } from '../../../infra/http/access.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import type { Caller } from '../../../kernel/caller';
import { AccountsService } from '../domain/accounts.service';
import { Plans } from '../domain/plans';
import { MeDto } from './me.dto';

/** The account, plan and scopes of the caller. */
@ApiTags('API keys')
@Controller('me')
export class MeController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly plans: Plans,
  ) {}

  @Get()
  @RequireKey()
  @ApiOperation({
    summary: 'Read your own account and key',
    description: 'Returns account, plan, limits and scopes of the API key. Every valid key may call it.',
  })
  @ApiOkResponse({ description: 'Your account and key.', type: MeDto })
  async getMe(@CurrentCaller() caller: Caller): Promise<MeDto> {
    const account = await this.accounts.get(caller.accountId);
    return MeDto.from(caller, account, this.plans.of(account.plan));
  }
}
