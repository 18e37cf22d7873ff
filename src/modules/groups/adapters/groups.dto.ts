import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsOptional, IsUUID } from 'class-validator';
import { AsSent } from '../../../infra/http/validation/as-sent.decorator';
import { PageQueryDto } from '../../../infra/http/lists/page.dto';
import { CONTACT_CODES } from '../domain/contact';
import type { ContactError, ContactGroup, ContactsAdded, ContactsRemoved } from '../domain/contact-group';
import { CONTACTS_PER_CALL, GROUP_DESCRIPTION_LENGTH, GROUP_NAME_LENGTH } from '../domain/contact-group';
import { CreateContactDto } from './contacts.dto';
import { PlainText } from './plain-text.decorator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';

const NAME = {
  description: 'Unique within the account, ignoring case.',
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
    description: 'Only groups whose name contains this text, ignoring case and accents.',
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

  @ApiPropertyOptional({ ...DESCRIPTION, description: 'Purpose of the group.' })
  @IsOptional()
  @PlainText(GROUP_DESCRIPTION_LENGTH)
  description?: string | null;
}

/** Changes of a group; absent fields keep their values. */
export class ChangeGroupDto {
  @ApiPropertyOptional(NAME)
  @MayBeAbsent()
  @PlainText(GROUP_NAME_LENGTH)
  name?: string;

  @ApiPropertyOptional({ ...DESCRIPTION, description: 'null removes the description.' })
  @IsOptional()
  @PlainText(GROUP_DESCRIPTION_LENGTH)
  description?: string | null;
}

/** A named group of contacts. */
export class GroupDto {
  @ApiProperty({ description: 'Id of the group.', format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' })
  id: string;

  @ApiProperty({ description: 'Unique within the account.', example: 'VIP customers' })
  name: string;

  @ApiProperty({ ...DESCRIPTION, description: 'Purpose of the group.' })
  description: string | null;

  @ApiProperty({ type: 'integer', description: 'Contacts in the group.', example: 2 })
  contactCount: number;

  @ApiProperty({ description: 'When the group was created.', format: 'date-time', example: '2026-01-15T09:30:00.000Z' })
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

/** Contacts to add to a group; each is validated on its own, so an invalid one does not affect the others. */
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
  @AsSent()
  contacts: unknown[];
}

/** Contacts to remove from a group. */
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

/** Why a contact of the list was skipped. */
export class ContactErrorDto implements ContactError {
  @ApiProperty({ type: 'integer', description: 'Index of the contact in the list, from 0.', example: 3 })
  index: number;

  @ApiProperty({ description: 'Field of that contact; empty if the contact is not an object.', example: 'phone' })
  field: string;

  @ApiProperty({
    description: 'Stable code of the error.',
    enum: CONTACT_CODES,
    example: 'phone_invalid',
  })
  code: ContactError['code'];

  @ApiProperty({ description: 'What to do about it.', example: 'phone must be a phone number.' })
  message: string;
}

/** The result of adding contacts; the four counts add up to the length of the list. */
export class ContactsAddedDto implements ContactsAdded {
  @ApiProperty({ type: 'integer', description: 'Contacts added to the group.', example: 997 })
  added: number;

  @ApiProperty({
    type: 'integer',
    description: 'Contacts that were already in the group, updated with the given values.',
    example: 1,
  })
  updated: number;

  @ApiProperty({
    type: 'integer',
    description: 'Contacts dropped because an earlier one in the list has the same phone number.',
    example: 1,
  })
  duplicates: number;

  @ApiProperty({ type: 'integer', description: 'Contacts skipped because of an error.', example: 1 })
  invalid: number;

  @ApiProperty({ type: [ContactErrorDto], description: 'The first error of each skipped contact.' })
  errors: ContactErrorDto[];
}

/** The result of removing contacts. */
export class ContactsRemovedDto implements ContactsRemoved {
  @ApiProperty({ type: 'integer', description: 'Contacts removed from the group.', example: 1 })
  removed: number;

  @ApiProperty({ type: 'integer', description: 'Distinct ids that were not in the group.', example: 0 })
  notInGroup: number;
}

/** Example bodies of the API reference. */
export const CHANGE_GROUP_EXAMPLES = {
  name: { summary: 'Another name', value: { name: 'VIP customers' } },
};

export const ADD_CONTACTS_EXAMPLES = {
  contacts: {
    summary: 'Two contacts, one with values',
    value: {
      contacts: [
        { phone: '+49 1512 3456789', name: 'Anna Schmidt', parameters: { '1': 'Anna', '2': 'A-1042' } },
        { phone: '+49 1512 3456780' },
      ],
    },
  },
};
