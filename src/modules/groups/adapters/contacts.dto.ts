import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsObject, IsOptional, IsString, IsUUID, MaxLength, ValidateBy } from 'class-validator';
import { CursorQueryDto } from '../../../infra/http/lists/page.dto';
import { UserIdFilter } from '../../../infra/http/lists/list-filters.decorators';
import { AsSent } from '../../../infra/http/validation/as-sent.decorator';
import { IsUserId, RequiredUnless, USER_ID_PROPERTY } from '../../../infra/http/validation/person-fields.decorators';
import {
  attributesError,
  type Contact,
  type ContactFieldError,
  CONTACT_NAME_LENGTH,
  MAX_ATTRIBUTES,
  parametersError,
  PARAMETER_LENGTH,
} from '../domain/contact';
import { PlainText } from './plain-text.decorator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';

const PHONE = {
  description:
    'Phone number: international, with or without `+`, `00`, spaces and punctuation; a number without country code if the account has a default country. Stored as 8 to 15 digits.',
  maxLength: 64,
  example: '+49 1512 3456789',
};
const USER = {
  ...USER_ID_PROPERTY,
  description:
    "The platform's id of a person for your business, as in `userId` of a conversation. A contact needs this or a " +
    'phone number.',
};
const NAME = { maxLength: CONTACT_NAME_LENGTH, example: 'Anna Schmidt' };
const PARAMETERS = {
  type: 'object',
  additionalProperties: { type: 'string', minLength: 1, maxLength: PARAMETER_LENGTH },
  example: { '1': 'Anna', '2': 'A-1042' },
} as const;

const ATTRIBUTES = {
  type: 'object',
  additionalProperties: { type: 'string', minLength: 1, maxLength: PARAMETER_LENGTH },
  maxProperties: MAX_ATTRIBUTES,
  example: { 'First name': 'Anna', City: 'Berlin' },
} as const;

/** Passes values in which `errorOf` finds no error. */
function HasNo(errorOf: (value: unknown) => ContactFieldError | null): PropertyDecorator {
  return ValidateBy({
    name: errorOf.name,
    validator: {
      validate: (value: unknown) => errorOf(value) === null,
      defaultMessage: (check) => errorOf(check?.value)?.message ?? '',
    },
  });
}

/** A new contact. */
export class CreateContactDto {
  @ApiPropertyOptional({ ...PHONE, type: String, nullable: true })
  @RequiredUnless('userId')
  @IsString()
  @MaxLength(PHONE.maxLength)
  phone?: string | null;

  @ApiPropertyOptional(USER)
  @IsOptional()
  @IsUserId()
  userId?: string | null;

  @ApiPropertyOptional({ description: 'Name of the person.', ...NAME, type: String, nullable: true })
  @IsOptional()
  @PlainText(CONTACT_NAME_LENGTH)
  name?: string | null;

  @ApiPropertyOptional({
    ...PARAMETERS,
    nullable: true,
    description: 'Values of template placeholders by number, used when sending to a group.',
  })
  @IsOptional()
  @IsObject()
  @HasNo(parametersError)
  parameters?: Record<string, string> | null;

  @ApiPropertyOptional({
    ...ATTRIBUTES,
    nullable: true,
    description:
      'What you know about the person, by name; `values` of a group send names them. Names have at most 60 characters.',
  })
  @IsOptional()
  @IsObject()
  @HasNo(attributesError)
  @AsSent()
  attributes?: Record<string, string> | null;
}

/** Changes of a contact; absent fields keep their values. */
export class ChangeContactDto {
  @ApiPropertyOptional(PHONE)
  @MayBeAbsent()
  @IsString()
  @MaxLength(PHONE.maxLength)
  phone?: string;

  @ApiPropertyOptional({ ...USER, description: 'null removes the user id.' })
  @IsOptional()
  @IsUserId()
  userId?: string | null;

  @ApiPropertyOptional({ ...NAME, type: String, nullable: true, description: 'null removes the name.' })
  @IsOptional()
  @PlainText(CONTACT_NAME_LENGTH)
  name?: string | null;

  @ApiPropertyOptional({ ...PARAMETERS, description: 'Replaces all values; {} removes them.' })
  @MayBeAbsent()
  @IsObject()
  @HasNo(parametersError)
  parameters?: Record<string, string>;

  @ApiPropertyOptional({ ...ATTRIBUTES, description: 'Replaces all attributes; {} removes them.' })
  @MayBeAbsent()
  @IsObject()
  @HasNo(attributesError)
  @AsSent()
  attributes?: Record<string, string>;
}

/** Query of a list of contacts whose cursor is the id of the last contact seen. */
export class ContactCursorQueryDto extends CursorQueryDto {
  @ApiPropertyOptional({
    description: '`nextCursor` of the previous page; absent: the first page.',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a14',
  })
  @IsUUID('loose', { message: '$property must be a nextCursor of this list' })
  override cursor?: string;
}

/** Maximum length of a search text, in characters. */
const SEARCH_LENGTH = 128;

/** Query of a searchable list of contacts. */
export class SearchContactsQueryDto extends ContactCursorQueryDto {
  @ApiPropertyOptional({
    description:
      'Only contacts whose names contain the words of this text, ignoring order, case, accents and the spelling of umlauts, or whose number begins with these ' +
      'digits or ends with them, at least 4; a complete user id finds exactly its contact. A number that begins with 0 is one of the defaultCountry of the account; without one, of any country. A call may search only 20,000 contacts, so a page may have fewer items than `limit`, or none, and still ' +
      'have a `nextCursor`.',
    maxLength: SEARCH_LENGTH,
    example: 'anna',
  })
  @IsOptional()
  @PlainText(SEARCH_LENGTH)
  search?: string;
}

/** Query of the list of all contacts. */
export class ContactsQueryDto extends SearchContactsQueryDto {
  @ApiPropertyOptional({
    ...PHONE,
    description: 'Only the contact with this phone number, in any format.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(PHONE.maxLength)
  phone?: string;

  @UserIdFilter('the contact with this user id')
  userId?: string;
}

/** Query of the deletion of a contact. */
export class DeleteContactQueryDto {
  @ApiPropertyOptional({
    description: '`true`: also erases all stored data about this person.',
    enum: ['true', 'false'],
    default: 'false',
    example: 'true',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  erase?: 'true' | 'false';
}

/** A person who is being erased. */
export class ErasingDto {
  @ApiProperty({
    enum: ['Erasing'],
    example: 'Erasing',
    description: 'The erasure continues in the background; do not repeat the request.',
  })
  status: 'Erasing';
}

/** A group of a contact. */
export class GroupOfContactDto {
  @ApiProperty({ description: 'Id of the group.', format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11' })
  id: string;

  @ApiProperty({ description: 'Name of the group.', example: 'VIP customers' })
  name: string;
}

/** A person that the account can write to. */
export class ContactDto {
  @ApiProperty({ description: 'Id of the contact.', format: 'uuid', example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a12' })
  id: string;

  @ApiProperty({
    description: 'International format, digits only; null: only the user id is known, so templates cannot be sent.',
    type: String,
    nullable: true,
    example: '4915123456789',
  })
  phone: string | null;

  @ApiProperty({
    description: "The platform's id of the person for your business; null: unknown.",
    type: String,
    nullable: true,
    example: null,
  })
  userId: string | null;

  @ApiProperty({
    description: 'Name of the person; null: unknown.',
    type: String,
    nullable: true,
    example: 'Anna Schmidt',
  })
  name: string | null;

  @ApiProperty({
    description: "The person's public username on the platform, as of their latest message; null: unknown.",
    type: String,
    nullable: true,
    example: '@anna.schmidt',
  })
  username: string | null;

  @ApiProperty({ ...PARAMETERS, description: 'Values of template placeholders by number.' })
  parameters: Record<string, string>;

  @ApiProperty({ ...ATTRIBUTES, description: 'What is known about the person, by name.' })
  attributes: Record<string, string>;

  @ApiProperty({ description: 'Whether the number has opted out; group sends skip it.', example: false })
  optedOut: boolean;

  @ApiProperty({
    description: 'When the number opted out; null: not opted out.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  optedOutAt: string | null;

  @ApiProperty({ type: [GroupOfContactDto], description: 'Groups of the contact, by name.' })
  groups: GroupOfContactDto[];

  static from(contact: Contact): ContactDto {
    return {
      id: contact.id,
      phone: contact.phone,
      userId: contact.userId,
      name: contact.name,
      username: contact.username,
      parameters: contact.parameters,
      attributes: contact.attributes,
      optedOut: contact.optedOutAt !== null,
      optedOutAt: contact.optedOutAt?.toISOString() ?? null,
      groups: contact.groups.map(({ id, name }) => ({ id, name })),
    };
  }
}

/** Example bodies of the API reference. */
export const CREATE_CONTACT_EXAMPLES = {
  phone: { summary: 'By phone number', value: { phone: '+49 1512 3456789', name: 'Anna Schmidt' } },
  userId: { summary: 'By user id', value: { userId: 'US.13491208655302741918', name: 'Anna Schmidt' } },
  values: {
    summary: 'With values for templates',
    value: { phone: '+49 1512 3456781', name: 'Anna Schmidt', attributes: { 'First name': 'Anna', City: 'Berlin' } },
  },
};

export const CHANGE_CONTACT_EXAMPLES = {
  name: { summary: 'Another name', value: { name: 'Anna Weber' } },
};
