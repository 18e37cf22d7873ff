import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { ApiPageOf } from '../../../infra/http/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { type PageAnswer, pageAnswer, PageQueryDto } from '../../../infra/http/page.dto';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import { AccountsService } from '../domain/accounts.service';
import { ApiKeysService } from '../domain/api-keys.service';
import { accountChange, AccountDto, accountDraft, ChangeAccountDto, CreateAccountDto } from './accounts.dto';
import { CreateApiKeyDto, IssuedApiKeyDto, newKeyFields } from './api-keys.dto';

const ACCOUNT_ID = {
  name: 'accountId',
  description: 'The id of an account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};

/** All accounts, for the operator of the service. */
@ApiTags('Accounts')
@Controller('accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
  ) {}

  @Get()
  @RequireScope('accounts:manage')
  @ApiOperation({ summary: 'List the accounts', description: 'All accounts of the service, newest first.' })
  @ApiPageOf(AccountDto)
  @ApiFaults('validation_failed')
  async list(@Query() query: PageQueryDto): Promise<PageAnswer<AccountDto>> {
    const page = await this.accounts.page(query);
    return pageAnswer({ ...page, items: page.items.map((account) => AccountDto.from(account)) });
  }

  @Post()
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Create an account',
    description: 'Without `sender` the account cannot send yet. Token and secret of the sender are write-only.',
  })
  @ApiCreatedResponse({ description: 'The account, without the secrets of its sender.', type: AccountDto })
  @ApiFaults('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type', 'phone_number_taken')
  async create(@Body() body: CreateAccountDto): Promise<AccountDto> {
    return AccountDto.from(await this.accounts.create(accountDraft(body)));
  }

  @Get(':accountId')
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({ summary: 'Read an account', description: 'The account with its sender.' })
  @ApiOkResponse({ description: 'The account, without the secrets of its sender.', type: AccountDto })
  @ApiFaults('account_not_found')
  async get(@Param('accountId', new ResourceIdPipe('account')) accountId: string): Promise<AccountDto> {
    return AccountDto.from(await this.accounts.get(accountId));
  }

  @Patch(':accountId')
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Change an account',
    description:
      'What is absent stays. `sendingPaused: true` is the emergency stop: nothing more leaves within 2 s. An account cannot suspend itself.',
  })
  @ApiOkResponse({ description: 'The account as it is now.', type: AccountDto })
  @ApiFaults(
    'validation_failed',
    'malformed_json',
    'body_too_large',
    'unsupported_media_type',
    'account_not_found',
    'phone_number_taken',
    'own_account',
  )
  async change(
    @CurrentCaller() caller: Caller,
    @Param('accountId', new ResourceIdPipe('account')) accountId: string,
    @Body() body: ChangeAccountDto,
  ): Promise<AccountDto> {
    return AccountDto.from(await this.accounts.change(caller, accountId, accountChange(body)));
  }

  @Post(':accountId/api-keys')
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Create an API key for an account',
    description: 'The answer holds the secret in `key`, this once. The operator may give every scope.',
  })
  @ApiCreatedResponse({ description: 'The key, with its secret.', type: IssuedApiKeyDto })
  @ApiFaults('validation_failed', 'malformed_json', 'body_too_large', 'unsupported_media_type', 'account_not_found')
  async createKey(
    @Param('accountId', new ResourceIdPipe('account')) accountId: string,
    @Body() body: CreateApiKeyDto,
  ): Promise<IssuedApiKeyDto> {
    return IssuedApiKeyDto.issued(await this.keys.createFor(accountId, newKeyFields(body)));
  }
}
