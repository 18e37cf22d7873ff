import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiPageOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentClaim, Idempotent, presentAs201 } from '../../../infra/http/idempotency/idempotent.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { type PageAnswer, pageAnswer, PageQueryDto } from '../../../infra/http/lists/page.dto';
import { ShowsSecret } from '../../../infra/http/access/shows-secret.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { Caller } from '../../../kernel/caller';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { AccountsService } from '../domain/accounts.service';
import { ApiKeysService } from '../domain/api-keys.service';
import {
  AccountDeletingError,
  AccountNotFoundError,
  ApiKeyNotFoundError,
  BeyondOwnKeyError,
  KeyInUseError,
  OwnAccountError,
  PhoneNumberTakenError,
  QuotaExceededError,
  SenderNotReachableError,
} from '../domain/accounts.errors';
import { ACCOUNT_ID } from './account-id.dto';
import { accountChange, AccountDto, accountDraft, ChangeAccountDto, CreateAccountDto } from './accounts.dto';
import { ApiKeyDto, CreateApiKeyDto, IssuedApiKeyDto, newKeyFields } from './api-keys.dto';
import { CHANGE_ACCOUNT_EXAMPLES, CREATE_ACCOUNT_EXAMPLES, CREATE_KEY_EXAMPLES } from './accounts.examples';

/** All accounts, for the operator of the service. */
@ApiTags('Accounts')
@Controller('accounts')
export class AccountsController {
  constructor(
    readonly accounts: AccountsService,
    private readonly keys: ApiKeysService,
  ) {}

  @Get()
  @RequireScope('accounts:manage')
  @ApiOperation({ summary: 'List the accounts', description: 'Lists all accounts, newest first.' })
  @ApiPageOf(AccountDto)
  @ApiErrors(ValidationFailedError)
  async listAccounts(@Query() query: PageQueryDto): Promise<PageAnswer<AccountDto>> {
    const page = await this.accounts.page(query);
    return pageAnswer({ ...page, items: page.items.map((account) => AccountDto.from(account)) });
  }

  @Post()
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Create an account',
    description:
      'Without `sender` the account cannot send yet. The sender\'s token and secret are write-only. The service first checks the phone number and token with the platform: if the platform refuses them or cannot be reached, the response is 422 `sender_not_reachable`. `"skipCheck": true` skips this check.',
  })
  @ApiCreatedResponse({ description: 'The account, without the secrets of its sender.', type: AccountDto })
  @JsonBody()
  @ApiErrors(PhoneNumberTakenError, SenderNotReachableError)
  @ApiBody({ type: CreateAccountDto, examples: CREATE_ACCOUNT_EXAMPLES })
  @Idempotent(CreateAccountDto, ({ accounts }: AccountsController, { resourceId }) =>
    presentAs201(accounts.get(resourceId).then((account) => AccountDto.from(account))),
  )
  async createAccount(
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() body: CreateAccountDto,
  ): Promise<Answer> {
    const account = await this.accounts.create(caller, accountDraft(body), body.skipCheck ?? false, claim);
    return { statusCode: 201, body: AccountDto.from(account) };
  }

  @Get(':accountId')
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({ summary: 'Read an account', description: 'The account with its sender.' })
  @ApiOkResponse({ description: 'The account, without the secrets of its sender.', type: AccountDto })
  @ApiErrors(AccountNotFoundError)
  async getAccount(
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
  ): Promise<AccountDto> {
    return AccountDto.from(await this.accounts.get(accountId));
  }

  @Patch(':accountId')
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Change an account',
    description:
      'Absent fields keep their values. `sendingPaused: true` is the emergency stop: sending stops within 2 s. An ' +
      'account cannot suspend itself. A new phone number or access token is checked with the platform first, as in ' +
      '`POST /accounts`.',
  })
  @ApiOkResponse({ description: 'The updated account.', type: AccountDto })
  @JsonBody()
  @ApiErrors(
    AccountNotFoundError,
    AccountDeletingError,
    PhoneNumberTakenError,
    SenderNotReachableError,
    OwnAccountError,
  )
  @ApiBody({ type: ChangeAccountDto, examples: CHANGE_ACCOUNT_EXAMPLES })
  async updateAccount(
    @CurrentCaller() caller: Caller,
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
    @Body() body: ChangeAccountDto,
  ): Promise<AccountDto> {
    const changed = await this.accounts.change(caller, accountId, accountChange(body), body.skipCheck ?? false);
    return AccountDto.from(changed);
  }

  @Delete(':accountId')
  @ApiParam(ACCOUNT_ID)
  @HttpCode(202)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Delete an account',
    description:
      'Its keys become invalid and it stops sending within 2 s; the messages that the platform has accepted are delivered. ' +
      'Its data is deleted in the background: until it is gone, the account is shown with the status `Deleting`, then it is not found. ' +
      'This cannot be undone: export the account first (`GET /accounts/{accountId}/export`). An account cannot delete itself.',
  })
  @ApiAcceptedResponse({ description: 'The deleted account.', type: AccountDto })
  @ApiErrors(AccountNotFoundError, OwnAccountError)
  async deleteAccount(
    @CurrentCaller() caller: Caller,
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
  ): Promise<AccountDto> {
    return AccountDto.from(await this.accounts.delete(caller, accountId));
  }

  @Get(':accountId/api-keys')
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'List the API keys of an account',
    description: 'Lists the active keys of an account, newest first. Revoked keys are omitted.',
  })
  @ApiPageOf(ApiKeyDto)
  @ApiErrors(ValidationFailedError, AccountNotFoundError)
  async listAccountApiKeys(
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
    @Query() query: PageQueryDto,
  ): Promise<PageAnswer<ApiKeyDto>> {
    const page = await this.keys.pageOf(accountId, query);
    return pageAnswer({ ...page, items: page.items.map((key) => ApiKeyDto.from(key)) });
  }

  @Delete(':accountId/api-keys/:keyId')
  @ApiParam(ACCOUNT_ID)
  @ApiParam({ ...ACCOUNT_ID, name: 'keyId', description: 'Id of a key of that account.' })
  @HttpCode(204)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Revoke an API key of an account',
    description: 'The key becomes invalid within 2 s. A key cannot revoke itself.',
  })
  @ApiNoContentResponse({ description: 'The key is revoked.' })
  @ApiErrors(ApiKeyNotFoundError, KeyInUseError)
  revokeAccountApiKey(
    @CurrentCaller() caller: Caller,
    @Param('accountId', new ResourceIdPipe(ApiKeyNotFoundError)) accountId: string,
    @Param('keyId', new ResourceIdPipe(ApiKeyNotFoundError)) keyId: string,
  ): Promise<void> {
    return this.keys.revokeFor(caller, accountId, keyId);
  }

  @Post(':accountId/api-keys')
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Create an API key for an account',
    description:
      "The response contains the secret in `key`; it is shown only once. A key of the operator's own account cannot " +
      "exceed the operator's key in scopes, expiry or addresses. A key of another account may have every scope except " +
      "`accounts:manage`, which is reserved for the operator's account (403 `beyond_own_key`).",
  })
  @ApiCreatedResponse({ description: 'The key, with its secret.', type: IssuedApiKeyDto })
  @JsonBody()
  @ApiErrors(AccountNotFoundError, AccountDeletingError, BeyondOwnKeyError, QuotaExceededError)
  @ApiBody({ type: CreateApiKeyDto, examples: CREATE_KEY_EXAMPLES })
  @ShowsSecret()
  async createAccountApiKey(
    @CurrentCaller() caller: Caller,
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
    @Body() body: CreateApiKeyDto,
  ): Promise<IssuedApiKeyDto> {
    return IssuedApiKeyDto.issued(await this.keys.createFor(caller, accountId, newKeyFields(body)));
  }
}
