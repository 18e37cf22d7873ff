import { Controller, Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import { ACCOUNT_ID } from '../../accounts/adapters/account-id.dto';
import { AccountNotFoundError } from '../../accounts/domain/accounts.errors';
import { AccountsService } from '../../accounts/domain/accounts.service';
import { SenderStatesService } from '../domain/sender-states.service';
import { SenderStateDto, SenderStatesDto } from './senders.dto';

/** The phone numbers of any account, for the operator of the service. */
@ApiTags('Accounts')
@Controller('accounts/:accountId/senders')
export class AccountSendersController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly states: SenderStatesService,
  ) {}

  @Get()
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'List the senders of an account',
    description: 'Same as `GET /senders`, for any account: pace, use of the messaging tier, last report, problem.',
  })
  @ApiOkResponse({ description: 'The senders.', type: SenderStatesDto })
  @ApiErrors(AccountNotFoundError)
  async listAccountSenders(
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
  ): Promise<SenderStatesDto> {
    const { id } = await this.accounts.get(accountId);
    return { items: (await this.states.ofAccount(id)).map((state) => SenderStateDto.from(state)) };
  }
}
