import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { RequireScope } from '../../../infra/http/access/access.decorators';
import type { Answer } from '../../../infra/http/answer';
import { ApiErrors } from '../../../infra/http/errors/api-errors.decorator';
import { ApiPageOf, ApiSliceOf } from '../../../infra/http/lists/api-lists.decorators';
import { CurrentCaller } from '../../../infra/http/access/caller.decorator';
import { CurrentClaim, Idempotent, presentAs201 } from '../../../infra/http/idempotency/idempotent.decorator';
import { type PageAnswer, pageAnswer } from '../../../infra/http/lists/page.dto';
import { ResourceIdPipe } from '../../../infra/http/validation/resource-id.pipe';
import type { Caller } from '../../../kernel/caller';
import type { CreationClaim } from '../../../kernel/creation-claim';
import type { Slice } from '../../../kernel/page';
import { JsonBody } from '../../../infra/http/bodies/request-body';
import type { JsonLimits } from '../../../infra/http/bodies/json-bounds';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { QuotaExceededError } from '../../accounts/domain/accounts.errors';
import { Plans } from '../../accounts/domain/plans';
import { GroupsService } from '../domain/groups.service';
import { GroupNameTakenError, GroupNotFoundError } from '../domain/groups.errors';
import { ContactDto, CreateContactDto, SearchContactsQueryDto } from './contacts.dto';
import {
  ADD_CONTACTS_EXAMPLES,
  CHANGE_GROUP_EXAMPLES,
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

const GroupId = () => Param('groupId', new ResourceIdPipe(GroupNotFoundError));

const GROUP_ID = {
  name: 'groupId',
  description: 'Id of a contact group of your account.',
  format: 'uuid',
  example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
};

/** Room for CONTACTS_PER_CALL contacts with 50 attributes each. */
const CONTACTS_LIMITS: JsonLimits = { maxBytes: 4 * 1024 * 1024, maxValues: 80_000 };

/** Contact groups over HTTP. */
@ApiTags('Groups')
@Controller('groups')
export class GroupsController {
  constructor(
    readonly groups: GroupsService,
    private readonly plans: Plans,
  ) {}

  @Post()
  @RequireScope('groups:manage')
  @ApiOperation({ summary: 'Create a contact group', description: 'Creates an empty group with a unique name.' })
  @ApiCreatedResponse({ description: 'The group, without contacts.', type: GroupDto })
  @JsonBody()
  @ApiErrors(GroupNameTakenError, QuotaExceededError)
  @Idempotent(CreateGroupDto, ({ groups }: GroupsController, { accountId, resourceId }) =>
    presentAs201(groups.get(accountId, resourceId).then((group) => GroupDto.from(group))),
  )
  async createGroup(
    @CurrentCaller() { accountId, plan }: Caller,
    @CurrentClaim() claim: CreationClaim,
    @Body() body: CreateGroupDto,
  ): Promise<Answer> {
    const given = { name: body.name, description: body.description ?? null };
    const group = await this.groups.create(accountId, given, this.plans.of(plan).maxGroups, claim);
    return { statusCode: 201, body: GroupDto.from(group) };
  }

  @Get()
  @RequireScope('groups:read')
  @ApiOperation({ summary: 'List contact groups', description: 'Lists the groups of the account, newest first.' })
  @ApiPageOf(GroupDto)
  @ApiErrors(ValidationFailedError)
  async listGroups(@CurrentCaller() caller: Caller, @Query() query: GroupsQueryDto): Promise<PageAnswer<GroupDto>> {
    const page = await this.groups.list(caller.accountId, query);
    return pageAnswer({ ...page, items: page.items.map((group) => GroupDto.from(group)) });
  }

  @Get(':groupId')
  @ApiParam(GROUP_ID)
  @RequireScope('groups:read')
  @ApiOperation({ summary: 'Read a contact group', description: 'Returns one group with its number of contacts.' })
  @ApiOkResponse({ description: 'The group.', type: GroupDto })
  @ApiErrors(GroupNotFoundError)
  async getGroup(@CurrentCaller() caller: Caller, @GroupId() groupId: string): Promise<GroupDto> {
    return GroupDto.from(await this.groups.get(caller.accountId, groupId));
  }

  @Patch(':groupId')
  @ApiParam(GROUP_ID)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Change a contact group',
    description: 'Changes the name, the description or both; absent fields keep their values.',
  })
  @ApiBody({ type: ChangeGroupDto, examples: CHANGE_GROUP_EXAMPLES })
  @ApiOkResponse({ description: 'The updated group.', type: GroupDto })
  @JsonBody()
  @ApiErrors(GroupNotFoundError, GroupNameTakenError)
  async updateGroup(
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
    description: 'Deletes the group and keeps its contacts. Jobs already created for the group continue.',
  })
  @ApiNoContentResponse({ description: 'Deleted.' })
  @ApiErrors(ValidationFailedError, GroupNotFoundError)
  async deleteGroup(
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
    description: 'Lists the contacts in the group, newest first.',
  })
  @ApiSliceOf(ContactDto)
  @ApiErrors(ValidationFailedError, GroupNotFoundError)
  async listGroupContacts(
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
      'Adds 1 to 1,000 contacts by phone number, creating new ones and updating existing ones: given parameters replace those of ' +
      'the contact, given attributes are added to its own, of which at most 50 are kept. ' +
      'Invalid contacts are skipped and reported in `errors`; if a phone number repeats, the first entry is used.',
  })
  @ApiExtraModels(CreateContactDto)
  @ApiBody({ type: AddContactsDto, examples: ADD_CONTACTS_EXAMPLES })
  @ApiOkResponse({ description: 'The result for all contacts.', type: ContactsAddedDto })
  @JsonBody(CONTACTS_LIMITS)
  @ApiErrors(GroupNotFoundError, QuotaExceededError)
  addGroupContacts(
    @CurrentCaller() caller: Caller,
    @GroupId() groupId: string,
    @Body() body: AddContactsDto,
  ): Promise<ContactsAddedDto> {
    return this.groups.addContacts(caller.accountId, caller.plan, groupId, body.contacts);
  }

  @Delete(':groupId/contacts')
  @ApiParam(GROUP_ID)
  @RequireScope('groups:manage')
  @ApiOperation({
    summary: 'Remove contacts from a group',
    description: 'Removes 1 to 1,000 contacts by id. They stay in the account and in their other groups.',
  })
  @ApiOkResponse({ description: 'The result for all ids.', type: ContactsRemovedDto })
  @JsonBody()
  @ApiErrors(GroupNotFoundError)
  removeGroupContacts(
    @CurrentCaller() caller: Caller,
    @GroupId() groupId: string,
    @Body() body: RemoveContactsDto,
  ): Promise<ContactsRemovedDto> {
    return this.groups.removeContacts(caller.accountId, groupId, body.contactIds);
  }
}
