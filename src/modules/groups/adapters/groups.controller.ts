import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access.decorators';
import { ApiFaults } from '../../../infra/http/api-faults.decorator';
import { ApiPageOf, ApiSliceOf } from '../../../infra/http/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/caller.decorator';
import { type PageAnswer, pageAnswer } from '../../../infra/http/page.dto';
import { ResourceIdPipe } from '../../../infra/http/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { Slice } from '../../../kernel/page';
import { GroupsService } from '../domain/groups.service';
import { ContactDto, CreateContactDto, SearchContactsQueryDto } from './contacts.dto';
import {
  AddContactsDto,
  ChangeGroupDto,
  ContactsAddedDto,
  ContactsRemovedDto,
  CreateGroupDto,
  GroupDto,
  GroupsQueryDto,
  RemoveContactsDto,
} from './groups.dto';
import { NoQueryDto } from './no-query.dto';

const GroupId = () => Param('groupId', new ResourceIdPipe('group'));

const GROUP_ID = {
  name: 'groupId',
  description: 'The id of a contact group of your account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};

/** Contact groups over HTTP. */
@ApiTags('Groups')
@Controller('groups')
export class GroupsController {
  constructor(private readonly groups: GroupsService) {}

  @Post()
  @RequireScope('groups:manage')
  @ApiOperation({ summary: 'Create a contact group', description: 'Makes an empty group under a name of its own.' })
  @ApiCreatedResponse({ description: 'The group, without contacts.', type: GroupDto })
  @ApiFaults('validation_failed', 'malformed_json', 'group_name_taken', 'body_too_large', 'unsupported_media_type')
  async create(@CurrentCaller() caller: Caller, @Body() body: CreateGroupDto): Promise<GroupDto> {
    const given = { name: body.name, description: body.description ?? null };
    return GroupDto.from(await this.groups.create(caller.accountId, given));
  }

  @Get()
  @RequireScope('groups:read')
  @ApiOperation({ summary: 'List contact groups', description: 'All groups of the account, newest first.' })
  @ApiPageOf(GroupDto)
  @ApiFaults('validation_failed')
  async list(@CurrentCaller() caller: Caller, @Query() query: GroupsQueryDto): Promise<PageAnswer<GroupDto>> {
    const page = await this.groups.list(caller.accountId, query);
    return pageAnswer({ ...page, items: page.items.map((group) => GroupDto.from(group)) });
  }

  @Get(':groupId')
  @ApiParam(GROUP_ID)
  @RequireScope('groups:read')
  @ApiOperation({ summary: 'Read a contact group', description: 'One group with the number of its contacts.' })
  @ApiOkResponse({ description: 'The group.', type: GroupDto })
  @ApiFaults('group_not_found')
  async get(@CurrentCaller() caller: Caller, @GroupId() groupId: string): Promise<GroupDto> {
    return GroupDto.from(await this.groups.get(caller.accountId, groupId));
  }

  @Patch(':groupId')
  @ApiParam(GROUP_ID)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Change a contact group',
    description: 'Sets the name or description that is given and leaves the rest.',
  })
  @ApiOkResponse({ description: 'The group as it is now.', type: GroupDto })
  @ApiFaults(
    'validation_failed',
    'malformed_json',
    'group_not_found',
    'group_name_taken',
    'body_too_large',
    'unsupported_media_type',
  )
  async change(
    @CurrentCaller() caller: Caller,
    @GroupId() groupId: string,
    @Body() body: ChangeGroupDto,
  ): Promise<GroupDto> {
    return GroupDto.from(await this.groups.change(caller.accountId, groupId, body));
  }

  @Delete(':groupId')
  @ApiParam(GROUP_ID)
  @HttpCode(204)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Delete a contact group',
    description: 'Removes the group and keeps its contacts. Jobs that were created for the group go on unchanged.',
  })
  @ApiNoContentResponse({ description: 'Deleted.' })
  @ApiFaults('validation_failed', 'group_not_found')
  async remove(
    @CurrentCaller() caller: Caller,
    @GroupId() groupId: string,
    @Query() _query: NoQueryDto,
  ): Promise<void> {
    await this.groups.remove(caller.accountId, groupId);
  }

  @Get(':groupId/contacts')
  @ApiParam(GROUP_ID)
  @RequireScope('groups:read')
  @ApiOperation({
    summary: 'List the contacts of a group',
    description: 'The contacts in the group, newest contact first.',
  })
  @ApiSliceOf(ContactDto)
  @ApiFaults('validation_failed', 'group_not_found')
  async listContacts(
    @CurrentCaller() caller: Caller,
    @GroupId() groupId: string,
    @Query() query: SearchContactsQueryDto,
  ): Promise<Slice<ContactDto>> {
    const { items, nextCursor } = await this.groups.contactsOf(caller.accountId, groupId, query);
    return { items: items.map((contact) => ContactDto.from(contact)), nextCursor };
  }

  @Post(':groupId/contacts')
  @ApiParam(GROUP_ID)
  @HttpCode(200)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Add contacts to a group',
    description:
      'Takes 1 to 1,000 contacts by phone number: new ones are created, known ones get the name and the parameters that are given, and all of them are in the group afterwards. A contact with a fault is left out and told in `errors`; of several with one phone number the first counts.',
  })
  @ApiExtraModels(CreateContactDto)
  @ApiOkResponse({ description: 'What became of each contact.', type: ContactsAddedDto })
  @ApiFaults('validation_failed', 'malformed_json', 'group_not_found', 'body_too_large', 'unsupported_media_type')
  addContacts(
    @CurrentCaller() caller: Caller,
    @GroupId() groupId: string,
    @Body() body: AddContactsDto,
  ): Promise<ContactsAddedDto> {
    return this.groups.addContacts(caller.accountId, groupId, body.contacts);
  }

  @Delete(':groupId/contacts')
  @ApiParam(GROUP_ID)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Take contacts out of a group',
    description: 'Takes 1 to 1,000 contact ids. The contacts stay in the account and in their other groups.',
  })
  @ApiOkResponse({ description: 'What became of the ids.', type: ContactsRemovedDto })
  @ApiFaults('validation_failed', 'malformed_json', 'group_not_found', 'body_too_large', 'unsupported_media_type')
  removeContacts(
    @CurrentCaller() caller: Caller,
    @GroupId() groupId: string,
    @Body() body: RemoveContactsDto,
  ): Promise<ContactsRemovedDto> {
    return this.groups.removeContacts(caller.accountId, groupId, body.contactIds);
  }
}
