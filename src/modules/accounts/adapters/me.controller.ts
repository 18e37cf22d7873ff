import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireKey, RequireScope } from '../../../infra/http/access/access.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import type { Caller } from '../../../kernel/caller';
import { AccountsService } from '../domain/accounts.service';
import { Plans } from '../domain/plans';
import { ChangeMeDto, MeDto } from './me.dto';

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

  @Patch()
  @RequireScope('keys:manage')
  @ApiOperation({
    summary: 'Change your own account',
    description:
      'Sets the country of phone numbers without a country code, in files, lists, contacts and opt-outs; null: none. Absent fields keep ' +
      'their values. Stored numbers do not change.',
  })
  @ApiOkResponse({ description: 'Your account and key.', type: MeDto })
  @JsonBody()
  @ApiBody({
    type: ChangeMeDto,
    examples: { country: { summary: 'Default country', value: { defaultCountry: 'DE' } } },
  })
  async updateMe(@CurrentCaller() caller: Caller, @Body() { defaultCountry }: ChangeMeDto): Promise<MeDto> {
    const change = defaultCountry === undefined ? {} : { defaultCountry };
    const account = await this.accounts.change(caller, caller.accountId, change, true);
    return MeDto.from(caller, account, this.plans.of(account.plan));
  }
}
