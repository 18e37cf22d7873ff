import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  IsUUID,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { CursorQueryDto } from '../../../infra/http/page.dto';
import {
  type Contact,
  CONTACT_NAME_LENGTH,
  errorOfParameters,
  PARAMETER_LENGTH,
  USER_ID,
  USER_ID_LENGTH,
} from '../domain/contact';
import { PlainText } from './plain-text.decorator';
import { WhenGiven } from './when-given.decorator';

const PHONE = {
  description:
    'Phone number: international, with or without `+`, `00`, spaces and punctuation; a number without country code if the account has a default country. Stored as 8 to 15 digits.',
  maxLength: 64,
  example: '+49 1512 3456789',
};
const USER = {
  description:
    "The platform's id of a person for your business, as in `userId` of a conversation. A contact needs this or a " +
    'phone number.',
  maxLength: USER_ID_LENGTH,
  pattern: USER_ID.source,
  example: 'US.13491208655302741918',
};
const NAME = { maxLength: CONTACT_NAME_LENGTH, example: 'Anna Schmidt' };
const PARAMETERS = {
  type: 'object',
  additionalProperties: { type: 'string', minLength: 1, maxLength: PARAMETER_LENGTH },
  example: { '1': 'Anna', '2': 'A-1042' },
} as const;

/** Values for placeholders: keys "1" to "999", texts that the platform accepts. */
function Parameters(): PropertyDecorator {
  return ValidateBy({
    name: 'contactParameters',
    validator: {
      validate: (value: unknown) => errorOfParameters(value) === null,
      defaultMessage: (check) => errorOfParameters(check?.value)?.message ?? '',
    },
  });
}

/** A user id of the platform. */
function UserId(): PropertyDecorator {
  return Matches(USER_ID, {
    message: '$property must be a user id of the platform, such as US.13491208655302741918',
  });
}

/** A new contact. */
export class CreateContactDto {
  @ApiPropertyOptional({ ...PHONE, type: String, nullable: true })
  @ValidateIf(({ phone, userId }: CreateContactDto) => (phone ?? null) !== null || (userId ?? null) === null)
  @ValidateBy({
    name: 'isGiven',
    validator: {
      validate: (phone: unknown) => (phone ?? null) !== null,
      defaultMessage: () => '$property is required unless userId is given.',
    },
  })
  @IsString()
  @MaxLength(PHONE.maxLength)
  phone?: string | null;

  @ApiPropertyOptional({ ...USER, type: String, nullable: true })
  @IsOptional()
  @UserId()
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
  @Parameters()
  parameters?: Record<string, string> | null;
}

/** Changes of a contact; absent fields keep their values. */
export class ChangeContactDto {
  @ApiPropertyOptional(PHONE)
  @WhenGiven()
  @IsString()
  @MaxLength(PHONE.maxLength)
  phone?: string;

  @ApiPropertyOptional({ ...USER, type: String, nullable: true, description: 'null removes the user id.' })
  @IsOptional()
  @UserId()
  userId?: string | null;

  @ApiPropertyOptional({ ...NAME, type: String, nullable: true, description: 'null removes the name.' })
  @IsOptional()
  @PlainText(CONTACT_NAME_LENGTH)
  name?: string | null;

  @ApiPropertyOptional({ ...PARAMETERS, description: 'Replaces all values; {} removes them.' })
  @WhenGiven()
  @IsObject()
  @Parameters()
  parameters?: Record<string, string>;
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
      'Only contacts whose name or username contains this text, ignoring case, or whose number begins with these ' +
      'digits. Each call searches 20,000 contacts, so a page may have fewer items than `limit`, or none, and still ' +
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
      optedOut: contact.optedOutAt !== null,
      optedOutAt: contact.optedOutAt?.toISOString() ?? null,
      groups: contact.groups.map(({ id, name }) => ({ id, name })),
    };
  }
}
