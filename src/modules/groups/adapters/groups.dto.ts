import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, IsUUID } from 'class-validator';
import { PageQueryDto } from '../../../infra/http/page.dto';
import type { ContactFault, ContactGroup, ContactsAdded, ContactsRemoved } from '../domain/contact-group';
import { CONTACTS_PER_CALL, GROUP_DESCRIPTION_LENGTH, GROUP_NAME_LENGTH } from '../domain/contact-group';
import { CreateContactDto } from './contacts.dto';
import { PlainText } from './plain-text.decorator';
import { WhenGiven } from './when-given.decorator';

const NAME = {
  description: 'Unique within the account, whatever its case.',
  maxLength: GROUP_NAME_LENGTH,
  example: 'VIP customers',
};
const DESCRIPTION = {
  type: String,
  nullable: true,
  maxLength: GROUP_DESCRIPTION_LENGTH,
  example: 'Bought more than ten times',
};

/** Query of the list of groups. */
export class GroupsQueryDto extends PageQueryDto {
  @ApiPropertyOptional({
    description: 'Only groups whose name contains this, in any case.',
    maxLength: GROUP_NAME_LENGTH,
    example: 'vip',
  })
  @IsOptional()
  @PlainText(GROUP_NAME_LENGTH)
  search?: string;
}

/** A new group. */
export class CreateGroupDto {
  @ApiProperty(NAME)
  @PlainText(GROUP_NAME_LENGTH)
  name: string;

  @ApiPropertyOptional({ ...DESCRIPTION, description: 'What the group is for.' })
  @IsOptional()
  @PlainText(GROUP_DESCRIPTION_LENGTH)
  description?: string | null;
}

/** What changes; an absent field stays as it is. */
export class ChangeGroupDto {
  @ApiPropertyOptional(NAME)
  @WhenGiven()
  @PlainText(GROUP_NAME_LENGTH)
  name?: string;

  @ApiPropertyOptional({ ...DESCRIPTION, description: 'null takes the description away.' })
  @IsOptional()
  @PlainText(GROUP_DESCRIPTION_LENGTH)
  description?: string | null;
}

/** Contacts under a name. */
export class GroupDto {
  @ApiProperty({ description: 'Id of the group.', format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' })
  id: string;

  @ApiProperty({ description: 'Unique within the account.', example: 'VIP customers' })
  name: string;

  @ApiProperty({ ...DESCRIPTION, description: 'What the group is for.' })
  description: string | null;

  @ApiProperty({ type: 'integer', description: 'Contacts in the group.', example: 2 })
  contactCount: number;

  @ApiProperty({ description: 'When the group was made.', format: 'date-time', example: '2026-01-15T09:30:00.000Z' })
  createdAt: string;

  @ApiProperty({
    description: 'When its name or description last changed.',
    format: 'date-time',
    example: '2026-01-15T09:30:00.000Z',
  })
  updatedAt: string;

  static from(group: ContactGroup): GroupDto {
    return {
      id: group.id,
      name: group.name,
      description: group.description,
      contactCount: group.contactCount,
      createdAt: group.createdAt.toISOString(),
      updatedAt: group.updatedAt.toISOString(),
    };
  }
}

/** Contacts to put into a group; each of them is checked by itself, so a bad one does not refuse the others. */
export class AddContactsDto {
  @ApiProperty({
    description: '1 to 1,000 contacts, by phone number.',
    type: 'array',
    items: { $ref: getSchemaPath(CreateContactDto) },
    minItems: 1,
    maxItems: CONTACTS_PER_CALL,
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(CONTACTS_PER_CALL)
  contacts: unknown[];
}

/** Contacts to take out of a group. */
export class RemoveContactsDto {
  @ApiProperty({
    description: '1 to 1,000 ids of contacts.',
    type: [String],
    format: 'uuid',
    minItems: 1,
    maxItems: CONTACTS_PER_CALL,
    example: ['0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12'],
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(CONTACTS_PER_CALL)
  @IsUUID('loose', { each: true })
  contactIds: string[];
}

/** Why one contact of the list was left out. */
export class ContactFaultDto implements ContactFault {
  @ApiProperty({ type: 'integer', description: 'Place of the contact in the list, from 0.', example: 3 })
  index: number;

  @ApiProperty({ description: 'Field of that contact; empty where it is no object.', example: 'phone' })
  field: string;

  @ApiProperty({
    description: 'Stable name of the fault.',
    enum: [
      'contact_invalid',
      'phone_missing',
      'phone_invalid',
      'user_id_invalid',
      'user_id_taken',
      'name_invalid',
      'parameters_invalid',
      'parameter_key_invalid',
      'parameter_invalid',
      'unknown_field',
    ],
    example: 'phone_invalid',
  })
  code: string;

  @ApiProperty({ description: 'What to do about it.', example: 'phone must be a phone number.' })
  message: string;
}

/** What became of the contacts; the four counts add up to the length of the list. */
export class ContactsAddedDto implements ContactsAdded {
  @ApiProperty({ type: 'integer', description: 'New in the group.', example: 997 })
  added: number;

  @ApiProperty({
    type: 'integer',
    description: 'In the group before; what was given for them is stored.',
    example: 1,
  })
  updated: number;

  @ApiProperty({
    type: 'integer',
    description: 'Dropped: an earlier contact of the list has the phone number.',
    example: 1,
  })
  duplicates: number;

  @ApiProperty({ type: 'integer', description: 'Left out for a fault.', example: 1 })
  invalid: number;

  @ApiProperty({ type: [ContactFaultDto], description: 'The first fault of each contact that was left out.' })
  errors: ContactFaultDto[];
}

/** What became of the contact ids. */
export class ContactsRemovedDto implements ContactsRemoved {
  @ApiProperty({ type: 'integer', description: 'In the group before, and no longer.', example: 1 })
  removed: number;

  @ApiProperty({ type: 'integer', description: 'Different ids that were not in the group.', example: 0 })
  notInGroup: number;
}
