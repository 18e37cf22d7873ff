import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { Response } from 'express';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { ApiSliceOf } from '../../../infra/http/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { ContactsService } from '../domain/contacts.service';
import { PersonErasure } from '../domain/person-erasure.service';
import {
  ChangeContactDto,
  ContactDto,
  ContactsQueryDto,
  CreateContactDto,
  DeleteContactQueryDto,
  ErasingDto,
} from './contacts.dto';

const ContactId = () => Param('contactId', new ResourceIdPipe('contact'));

const CONTACT_ID = {
  name: 'contactId',
  description: 'The id of a contact of your account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};

/** Contacts over HTTP. */
@ApiTags('Contacts')
@Controller('contacts')
export class ContactsController {
  constructor(
    private readonly contacts: ContactsService,
    private readonly erasure: PersonErasure,
  ) {}

  @Post()
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Create a contact',
    description:
      "Stores a person by phone number, by the platform's user id or by both, in no group yet. Forms of a number that reach one person (Brazil with and without the ninth digit, Mexico 521, Argentina 549) are one contact. To create many contacts and put them into a group at once, use POST /groups/{groupId}/contacts.",
  })
  @ApiCreatedResponse({ description: 'The contact.', type: ContactDto })
  @ApiFaults(
    'validation_failed',
    'malformed_json',
    'contact_phone_taken',
    'contact_user_id_taken',
    'body_too_large',
    'unsupported_media_type',
  )
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateContactDto): Promise<ContactDto> {
    const { phone, userId, name, parameters } = body;
    return ContactDto.from(await this.contacts.create(caller.accountId, { phone, userId, name, parameters }));
  }

  @Get()
  @RequireScope('groups:read')
  @ApiOperation({
    summary: 'List contacts',
    description: 'All contacts of the account, newest first; `phone` finds one of them.',
  })
  @ApiSliceOf(ContactDto)
  @ApiFaults('validation_failed')
  async list(@CurrentCaller() caller: Caller, @Query() query: ContactsQueryDto): Promise<Slice<ContactDto>> {
    const { items, nextCursor } = await this.contacts.list(caller.accountId, query);
    return { items: items.map((contact) => ContactDto.from(contact)), nextCursor };
  }

  @Get(':contactId')
  @ApiParam(CONTACT_ID)
  @RequireScope('groups:read')
  @ApiOperation({ summary: 'Read a contact', description: 'One contact with its groups and whether it has opted out.' })
  @ApiOkResponse({ description: 'The contact.', type: ContactDto })
  @ApiFaults('contact_not_found')
  async get(@CurrentCaller() caller: Caller, @ContactId() contactId: string): Promise<ContactDto> {
    return ContactDto.from(await this.contacts.get(caller.accountId, contactId));
  }

  @Patch(':contactId')
  @ApiParam(CONTACT_ID)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Change a contact',
    description:
      'Sets what is given and leaves the rest; `parameters` are replaced whole. Jobs that exist keep the values they were created with. An opt-out stays with the old phone number.',
  })
  @ApiOkResponse({ description: 'The contact as it is now.', type: ContactDto })
  @ApiFaults(
    'validation_failed',
    'malformed_json',
    'contact_not_found',
    'contact_phone_taken',
    'contact_user_id_taken',
    'body_too_large',
    'unsupported_media_type',
  )
  async change(
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
      'Takes the contact out of its groups and away. Jobs that exist still send to it; an opt-out of its number stands. With `erase=true` the person is erased everywhere in the account: their messages lose contents and number and their conversation goes with its media, recipients of jobs lose number and values, and who still waits in a job is `Skipped` with `recipient_erased`. Counts stay, and so does an opt-out, so that nobody writes to the number again.',
  })
  @ApiNoContentResponse({ description: 'Deleted, and with `erase=true` erased.' })
  @ApiAcceptedResponse({
    type: ErasingDto,
    description: 'With `erase=true`: the contact is gone, and the rest goes on being erased by itself.',
  })
  @ApiFaults('validation_failed', 'contact_not_found')
  async remove(
    @CurrentCaller() caller: Caller,
    @ContactId() contactId: string,
    @Query() query: DeleteContactQueryDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ErasingDto | undefined> {
    if (query.erase !== 'true') await this.contacts.remove(caller.accountId, contactId);
    else if ((await this.erasure.eraseContact(caller.accountId, contactId)) === 'erasing') {
      response.status(202);
      return { status: 'Erasing' };
    }
    return undefined;
  }
}
