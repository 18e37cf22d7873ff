import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';
import { MayBeAbsent } from '../../../infra/http/validation/may-be-absent.decorator';
import { PRINTABLE } from '../../groups/domain/plain-text';
import { QUICK_REPLY_NAME_LENGTH, type QuickReply } from '../domain/quick-reply';

/** The longest text of a reply, in characters. */
const TEXT_LENGTH = 4096;
const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };
const NAME = {
  description: 'Unique within the account, ignoring case.',
  maxLength: QUICK_REPLY_NAME_LENGTH,
  example: 'Opening hours',
};
const TEXT = {
  description: 'The text to insert; may have several lines.',
  maxLength: TEXT_LENGTH,
  example: 'We are open from Monday to Saturday, 9 am to 6 pm.',
};
const Trimmed = () => Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));
const SingleLine = () =>
  Matches(PRINTABLE, { message: '$property must not contain line breaks, tabs or other control characters' });
// PostgreSQL stores no NUL character.
const WithoutNul = () => Matches(/^[^\0]*$/, { message: '$property must not contain the NUL character' });

/** A new quick reply. */
export class CreateQuickReplyDto {
  @ApiProperty(NAME)
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @MaxLength(QUICK_REPLY_NAME_LENGTH)
  @SingleLine()
  name: string;

  @ApiProperty(TEXT)
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @MaxLength(TEXT_LENGTH)
  @WithoutNul()
  text: string;
}

/** Changes of a quick reply; absent fields keep their values. */
export class ChangeQuickReplyDto {
  @ApiPropertyOptional(NAME)
  @MayBeAbsent()
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @MaxLength(QUICK_REPLY_NAME_LENGTH)
  @SingleLine()
  name?: string;

  @ApiPropertyOptional(TEXT)
  @MayBeAbsent()
  @Trimmed()
  @IsString()
  @IsNotEmpty()
  @MaxLength(TEXT_LENGTH)
  @WithoutNul()
  text?: string;
}

/** A text that people of an account insert into replies. */
export class QuickReplyDto {
  @ApiProperty({
    description: 'Id of the quick reply.',
    format: 'uuid',
    example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
  })
  id: string;

  @ApiProperty({ ...NAME })
  name: string;

  @ApiProperty({ ...TEXT })
  text: string;

  @ApiProperty({ ...TIME, description: 'When it was created.' })
  createdAt: string;

  @ApiProperty({ ...TIME, description: 'When it last changed.' })
  updatedAt: string;

  static from({ id, name, text, createdAt, updatedAt }: QuickReply): QuickReplyDto {
    return { id, name, text, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  }
}

/** All quick replies of an account. */
export class QuickRepliesDto {
  @ApiProperty({ description: 'By name.', type: [QuickReplyDto] })
  items: QuickReplyDto[];
}
