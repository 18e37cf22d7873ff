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
  faultOfParameters,
  PARAMETER_LENGTH,
  USER_ID,
  USER_ID_LENGTH,
} from '../domain/contact';
import { PlainText } from './plain-text.decorator';
import { WhenGiven } from './when-given.decorator';

const PHONE = {
  description:
    'Phone number: international, with or without `+`, `00`, spaces and punctuation; a national number where the account has a default country. Stored as 8 to 15 digits.',
  maxLength: 64,
  example: '+49 1512 3456789',
};
const USER = {
  description:
    "The platform's id of a person for your business, as `userId` of a conversation shows it. A contact needs it or a phone.",
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

/** Values for placeholders: keys "1" to "999", texts that the platform takes. */
function Parameters(): PropertyDecorator {
  return ValidateBy({
    name: 'contactParameters',
    validator: {
      validate: (value: unknown) => faultOfParameters(value) === null,
      defaultMessage: (check) => faultOfParameters(check?.value)?.message ?? '',
    },
  });
}

/** A user id as the platform gives it. */
function UserId(): PropertyDecorator {
  return Matches(USER_ID, {
    message: '$property must be a user id as the platform gives it, such as US.13491208655302741918',
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
      defaultMessage: () => '$property is required, unless there is a userId.',
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
    description: 'Values for template placeholders by their number, used by sends to a group.',
  })
  @IsOptional()
  @IsObject()
  @Parameters()
  parameters?: Record<string, string> | null;
}

/** What changes; an absent field stays as it is. */
export class ChangeContactDto {
  @ApiPropertyOptional(PHONE)
  @WhenGiven()
  @IsString()
  @MaxLength(PHONE.maxLength)
  phone?: string;

  @ApiPropertyOptional({ ...USER, type: String, nullable: true, description: 'null takes the user id away.' })
  @IsOptional()
  @UserId()
  userId?: string | null;

  @ApiPropertyOptional({ ...NAME, type: String, nullable: true, description: 'null takes the name away.' })
  @IsOptional()
  @PlainText(CONTACT_NAME_LENGTH)
  name?: string | null;

  @ApiPropertyOptional({ ...PARAMETERS, description: 'Replaces all values; {} takes them away.' })
  @WhenGiven()
  @IsObject()
  @Parameters()
  parameters?: Record<string, string>;
}

/** Query of a list of contacts whose cursor is the id of the last contact seen. */
export class ContactCursorQueryDto extends CursorQueryDto {
  @ApiPropertyOptional({
    description: '`nextCursor` of the answer before; absent: from the start.',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a14',
  })
  @IsUUID('loose', { message: '$property must be a nextCursor of this list' })
  override cursor?: string;
}

/** Longest text that is searched for, in characters. */
const SEARCH_LENGTH = 128;

/** Query of a list of contacts that can be searched. */
export class SearchContactsQueryDto extends ContactCursorQueryDto {
  @ApiPropertyOptional({
    description:
      'Only contacts whose name contains this, in any case, or whose number begins with these digits. A search looks at 20,000 contacts a call: a stretch may hold fewer items than `limit`, or none, and `nextCursor` all the same.',
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
    description: 'Only the contact with this phone number, written in any of the ways above.',
  })
  @IsOptional()
  @IsString()
  @MaxLength(PHONE.maxLength)
  phone?: string;
}

/** Query of the deletion of a contact. */
export class DeleteContactQueryDto {
  @ApiPropertyOptional({
    description: '`true`: erases everything that the account keeps of this person, too.',
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
  @ApiProperty({ enum: ['Erasing'], example: 'Erasing', description: 'It goes on by itself and needs no repetition.' })
  status: 'Erasing';
}

/** A group that a contact is in. */
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
    description: 'International format, digits only; null: only the user id is known, and no template can be sent.',
    type: String,
    nullable: true,
    example: '4915123456789',
  })
  phone: string | null;

  @ApiProperty({
    description: "The platform's id of the person for your business; null: none is known.",
    type: String,
    nullable: true,
    example: null,
  })
  userId: string | null;

  @ApiProperty({
    description: 'Name of the person; null: not known.',
    type: String,
    nullable: true,
    example: 'Anna Schmidt',
  })
  name: string | null;

  @ApiProperty({ ...PARAMETERS, description: 'Values for template placeholders by their number.' })
  parameters: Record<string, string>;

  @ApiProperty({ description: 'Whether the number wants no messages: sends to a group skip it.', example: false })
  optedOut: boolean;

  @ApiProperty({
    description: 'When the number was opted out; null: it was not.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  optedOutAt: string | null;

  @ApiProperty({ type: [GroupOfContactDto], description: 'Groups that the contact is in, by name.' })
  groups: GroupOfContactDto[];

  static from(contact: Contact): ContactDto {
    return {
      id: contact.id,
      phone: contact.phone,
      userId: contact.userId,
      name: contact.name,
      parameters: contact.parameters,
      optedOut: contact.optedOutAt !== null,
      optedOutAt: contact.optedOutAt?.toISOString() ?? null,
      groups: contact.groups.map(({ id, name }) => ({ id, name })),
    };
  }
}
