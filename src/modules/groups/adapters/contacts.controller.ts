import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentClaim, Idempotent, presentAs201 } from '../../../infra/http/idempotency/idempotent.decorator';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { ContactsService } from '../domain/contacts.service';
import { PersonErasure } from '../domain/person-erasure';
import { ContactNotFoundError, ContactPhoneTakenError, ContactUserIdTakenError } from '../domain/groups.errors';
import {
  CHANGE_CONTACT_EXAMPLES,
  CREATE_CONTACT_EXAMPLES,
  ChangeContactDto,
  ContactDto,
  ContactsQueryDto,
  CreateContactDto,
  DeleteContactQueryDto,
  ErasingDto,
} from './contacts.dto';

const ContactId = () => Param('contactId', new ResourceIdPipe(ContactNotFoundError));

const CONTACT_ID = {
  name: 'contactId',
  description: 'Id of a contact of your account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};

/** Contacts over HTTP. */
@ApiTags('Contacts')
@Controller('contacts')
export class ContactsController {
  constructor(
    readonly contacts: ContactsService,
    private readonly erasure: PersonErasure,
  ) {}

  @Post()
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Create a contact',
    description:
      'Creates a contact by phone number, platform user id or both, in no group. Different forms of the same number ' +
      '(Brazil with and without the ninth digit, Mexico 521, Argentina 549) are one contact. To create many contacts ' +
      'and add them to a group at once, use POST /groups/{groupId}/contacts.',
  })
  @ApiBody({ type: CreateContactDto, examples: CREATE_CONTACT_EXAMPLES })
  @ApiCreatedResponse({ description: 'The contact.', type: ContactDto })
  @JsonBody()
  @ApiErrors(ContactPhoneTakenError, ContactUserIdTakenError, QuotaExceededError)
  @Idempotent(CreateContactDto, ({ contacts }: ContactsController, { accountId, resourceId }) =>
    presentAs201(contacts.get(accountId, resourceId).then((contact) => ContactDto.from(contact))),
  )
  async createContact(
    @CurrentCaller() { accountId, plan }: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() { phone, userId, name, parameters, attributes }: CreateContactDto,
  ): Promise<Answer> {
    const given = { phone, userId, name, parameters, attributes };
    const contact = await this.contacts.create(accountId, plan, given, claim);
    return { statusCode: 201, body: ContactDto.from(contact) };
  }

  @Get()
  @RequireScope('groups:read')
  @ApiOperation({
    summary: 'List contacts',
    description: 'Lists the contacts of the account, newest first; `phone` or `userId` selects one of them.',
  })
  @ApiSliceOf(ContactDto)
  @ApiErrors(ValidationFailedError)
  async listContacts(@CurrentCaller() caller: Caller, @Query() query: ContactsQueryDto): Promise<Slice<ContactDto>> {
    const { items, nextCursor } = await this.contacts.list(caller.accountId, query);
    return { items: items.map((contact) => ContactDto.from(contact)), nextCursor };
  }

  @Get(':contactId')
  @ApiParam(CONTACT_ID)
  @RequireScope('groups:read')
  @ApiOperation({ summary: 'Read a contact', description: 'Returns one contact with its groups and opt-out state.' })
  @ApiOkResponse({ description: 'The contact.', type: ContactDto })
  @ApiErrors(ContactNotFoundError)
  async getContact(@CurrentCaller() caller: Caller, @ContactId() contactId: string): Promise<ContactDto> {
    return ContactDto.from(await this.contacts.get(caller.accountId, contactId));
  }

  @Patch(':contactId')
  @ApiParam(CONTACT_ID)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Change a contact',
    description:
      'Absent fields keep their values; `parameters` and `attributes` are replaced as a whole. Existing jobs keep their values. An ' +
      'opt-out stays with the old phone number.',
  })
  @ApiBody({ type: ChangeContactDto, examples: CHANGE_CONTACT_EXAMPLES })
  @ApiOkResponse({ description: 'The updated contact.', type: ContactDto })
  @JsonBody()
  @ApiErrors(ContactNotFoundError, ContactPhoneTakenError, ContactUserIdTakenError)
  async updateContact(
    @CurrentCaller() caller: Caller,
    @ContactId() contactId: string,
    @Body() body: ChangeContactDto,
  ): Promise<ContactDto> {
    return ContactDto.from(await this.contacts.change(caller.accountId, contactId, body));
  }

  @Delete(':contactId')
  @ApiParam(CONTACT_ID)
  @HttpCode(204)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Delete a contact',
    description:
      'Deletes the contact and removes it from its groups. Existing jobs still send to it, and an opt-out of its ' +
      'number remains. With `erase=true` the person is erased throughout the account: messages, conversation, media, job ' +
      'recipients and waiting events. Waiting recipients become `Skipped` with `recipient_erased`; counts remain.',
  })
  @ApiNoContentResponse({ description: 'Deleted, and with `erase=true` erased.' })
  @ApiAcceptedResponse({
    type: ErasingDto,
    description: 'With `erase=true`: the contact is deleted, and the erasure continues in the background.',
  })
  @ApiErrors(ValidationFailedError, ContactNotFoundError)
  async deleteContact(
    @CurrentCaller() caller: Caller,
    @ContactId() contactId: string,
    @Query() query: DeleteContactQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ErasingDto | undefined> {
    if (query.erase !== 'true') await this.contacts.remove(caller.accountId, contactId);
    else if ((await this.erasure.eraseContact(caller, contactId)) === 'erasing') {
      response.status(202);
      return { status: 'Erasing' };
    }
    return undefined;
  }
}
