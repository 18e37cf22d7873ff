import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import type { Answer } from '../../../infra/http/answer';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { CurrentClaim, Idempotent, presentAs201 } from '../../../infra/http/idempotency/idempotent.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { CreationClaim } from '../../../kernel/creation-claim';
import { ACCOUNT_ID } from '../../accounts/adapters/account-id.dto';
import {
  AccountSenderDto,
  ADD_SENDER_EXAMPLES,
  AddSenderDto,
  CHANGE_SENDER_EXAMPLES,
  ChangeAccountSenderDto,
  SENDER_ID,
  senderChange,
  senderFields,
} from '../../accounts/adapters/account-senders.dto';
import { AccountSendersService } from '../../accounts/domain/account-senders.service';
import {
  AccountDeletingError,
  AccountNotFoundError,
  DefaultSenderError,
  OnlySenderError,
  PhoneNumberTakenError,
  SenderNotFoundError,
  SenderNotReachableError,
} from '../../accounts/domain/accounts.errors';
import { AccountsService } from '../../accounts/domain/accounts.service';
import { SenderStatesService } from '../domain/sender-states.service';
import { AccountSenderStatesDto } from './senders.dto';

const PATH_ID = { ...SENDER_ID, name: 'senderId', description: 'Id of a sender of that account.' };

/** The phone numbers of any account, for the operator of the service. */
@ApiTags('Accounts')
@Controller('accounts/:accountId/senders')
export class AccountSendersController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly states: SenderStatesService,
    readonly senders: AccountSendersService,
  ) {}

  @Get()
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'List the senders of an account',
    description:
      'Same as `GET /senders`, for any account and with ids: pace, use of the messaging tier, last report, problem.',
  })
  @ApiOkResponse({ description: 'The senders.', type: AccountSenderStatesDto })
  @ApiErrors(AccountNotFoundError)
  async listAccountSenders(
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
  ): Promise<AccountSenderStatesDto> {
    const { id } = await this.accounts.get(accountId);
    return AccountSenderStatesDto.from(await this.states.ofAccount(id));
  }

  @Post()
  @ApiParam(ACCOUNT_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Add a sender to an account',
    description:
      'Adds a phone number. The first sender of an account is its default. Token and secret are write-only, and the number is ' +
      'checked with the platform first, as in `POST /accounts`. Senders of one business account share its templates; ' +
      'contacts, opt-outs and history belong to the account.',
  })
  @ApiCreatedResponse({ description: 'The sender, without its secrets.', type: AccountSenderDto })
  @JsonBody()
  @ApiErrors(AccountNotFoundError, AccountDeletingError, PhoneNumberTakenError, SenderNotReachableError)
  @ApiBody({ type: AddSenderDto, examples: ADD_SENDER_EXAMPLES })
  @Idempotent(AddSenderDto, ({ senders }: AccountSendersController, { resourceId, params }) =>
    presentAs201(senders.get(params.accountId!.toLowerCase(), resourceId).then((added) => AccountSenderDto.of(added))),
  )
  async addAccountSender(
    @CurrentCaller() caller: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Param('accountId', new ResourceIdPipe(AccountNotFoundError)) accountId: string,
    @Body() body: AddSenderDto,
  ): Promise<Answer> {
    const added = await this.senders.create(caller, accountId, senderFields(body), body.skipCheck ?? false, claim);
    return { statusCode: 201, body: AccountSenderDto.of(added) };
  }

  @Patch(':senderId')
  @ApiParam(ACCOUNT_ID)
  @ApiParam(PATH_ID)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Change a sender of an account',
    description:
      'Absent fields keep their values. `"default": true` makes it the default sender. A new phone number or access token is ' +
      'checked with the platform first, as in `POST /accounts`.',
  })
  @ApiOkResponse({ description: 'The updated sender, without its secrets.', type: AccountSenderDto })
  @JsonBody()
  @ApiErrors(SenderNotFoundError, AccountDeletingError, PhoneNumberTakenError, SenderNotReachableError)
  @ApiBody({ type: ChangeAccountSenderDto, examples: CHANGE_SENDER_EXAMPLES })
  async updateAccountSender(
    @CurrentCaller() caller: Caller,
    @Param('accountId', new ResourceIdPipe(SenderNotFoundError)) accountId: string,
    @Param('senderId', new ResourceIdPipe(SenderNotFoundError)) senderId: string,
    @Body() body: ChangeAccountSenderDto,
  ): Promise<AccountSenderDto> {
    const change = senderChange(body);
    return AccountSenderDto.of(await this.senders.change(caller, accountId, senderId, change, body.skipCheck ?? false));
  }

  @Delete(':senderId')
  @ApiParam(ACCOUNT_ID)
  @ApiParam(PATH_ID)
  @HttpCode(204)
  @RequireScope('accounts:manage')
  @ApiOperation({
    summary: 'Delete a sender of an account',
    description:
      'It stops sending within 2 s: its running jobs pause with `sender_deleted`, its waiting messages fail with `sender_deleted` when due. Its secrets are ' +
      'deleted, and the platform stops reporting on its business account unless another sender uses it. Its history stays ' +
      'readable. The default sender can be deleted only after another one is the default.',
  })
  @ApiNoContentResponse({ description: 'The sender is deleted.' })
  @ApiErrors(SenderNotFoundError, AccountDeletingError, DefaultSenderError, OnlySenderError)
  deleteAccountSender(
    @CurrentCaller() caller: Caller,
    @Param('accountId', new ResourceIdPipe(SenderNotFoundError)) accountId: string,
    @Param('senderId', new ResourceIdPipe(SenderNotFoundError)) senderId: string,
  ): Promise<void> {
    return this.senders.delete(caller, accountId, senderId);
  }
}
