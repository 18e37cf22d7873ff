import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { PageQueryDto } from '../../../infra/http/lists/page.dto';
import { IsPageCursor } from '../../../infra/http/lists/time-cursor.decorator';
import { RequiredUnless, UserIdInsteadOf } from '../../../infra/http/validation/person-fields.decorators';
import { OPT_OUT_IDS, OPT_OUT_SCOPES, type OptOut, type OptOutScope, type OptOutSource } from '../domain/opt-out';
import { ALWAYS_OUT_KEYWORDS, KEYWORD_LENGTH, MAX_KEYWORDS, type OptOutKeywords } from '../domain/opt-out-keywords';

/** A person to opt out. */
export class AddOptOutDto {
  @ApiPropertyOptional({
    description: 'Phone number, in any format accepted for contacts.',
    type: String,
    nullable: true,
    maxLength: 64,
    example: '+49 1512 3456789',
  })
  @RequiredUnless('userId')
  @IsString()
  @MaxLength(64)
  phone?: string | null;

  @UserIdInsteadOf('phone')
  userId?: string | null;

  @ApiPropertyOptional({
    description: 'What the person no longer wants: `All` messages, or only templates of the category `Marketing`.',
    enum: OPT_OUT_SCOPES,
    default: 'All',
    example: 'Marketing',
  })
  @IsOptional()
  @IsIn(OPT_OUT_SCOPES)
  scope?: OptOutScope;
}

/** Valid bodies. */
export const ADD_OPT_OUT_EXAMPLES = {
  phone: { summary: 'By phone number', value: { phone: '+49 1512 3456789' } },
  userId: { summary: 'By user id', value: { userId: 'US.13491208655302741924' } },
  marketing: { summary: 'Of marketing only', value: { phone: '+49 1512 3456789', scope: 'Marketing' } },
};

/** Query of the list of opt-outs. */
export class OptOutsQueryDto extends PageQueryDto {
  @IsPageCursor(OPT_OUT_IDS)
  cursor?: string;

  @ApiPropertyOptional({
    description:
      'Only the opt-outs of this person: a phone number, in any format accepted for contacts, or a user id. Nothing is found for another text.',
    maxLength: 64,
    example: '4915123456789',
  })
  @IsOptional()
  @IsString()
  @MaxLength(64)
  person?: string;

  @ApiPropertyOptional({
    description: '`true`: also `contactName` of each person.',
    enum: ['true', 'false'],
    example: 'true',
  })
  @IsOptional()
  @IsIn(['true', 'false'])
  names?: 'true' | 'false';
}

/** A person to whom the account must not write. */
export class OptOutDto {
  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'International format, digits only, as first recorded; it applies to every form of the number. Null for a person ' +
      'who hides the number and is known only by `userId`.',
    example: '4915123456789',
  })
  phone: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: "The platform's id of the person for this business; null: unknown.",
    example: null,
  })
  userId: string | null;

  @ApiProperty({
    enum: OPT_OUT_SCOPES,
    description: 'Scope of the opt-out: `All` messages, or only templates of the category `Marketing`.',
    example: 'All',
  })
  scope: OptOutScope;

  @ApiProperty({
    enum: ['Api', 'Keyword', 'Platform'],
    description:
      'Recorded by the account through the API, by the person with a keyword, or by the platform, where the person ' +
      'stopped marketing.',
    example: 'Api',
  })
  source: OptOutSource;

  @ApiProperty({
    description: 'When the opt-out was first recorded.',
    format: 'date-time',
    example: '2026-01-15T09:30:00.000Z',
  })
  createdAt: string;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'Name of the contact with this `phone` or `userId`; null: unknown. Only if requested by `names`.',
    example: 'Anna Schmidt',
  })
  contactName?: string | null;

  static from({ phone, userId, scope, source, createdAt }: OptOut): OptOutDto {
    return { phone, userId, scope, source, createdAt: createdAt.toISOString() };
  }
}

/** The keywords that opt people out and in. */
export class OptOutKeywordsDto {
  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_KEYWORDS,
    description: `Texts of 1 to ${KEYWORD_LENGTH} characters that opt a person out. Those of every account always work: ${ALWAYS_OUT_KEYWORDS.join(', ')}.`,
    example: ['STOP', 'ARRÊT', 'BAJA'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_KEYWORDS)
  @IsString({ each: true })
  optOutKeywords: string[];

  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_KEYWORDS,
    description: `Texts of 1 to ${KEYWORD_LENGTH} characters that opt a person in again. START always works, even if it is not in the list.`,
    example: ['START', 'ALTA'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_KEYWORDS)
  @IsString({ each: true })
  optInKeywords: string[];

  static from({ optOutKeywords, optInKeywords }: OptOutKeywords): OptOutKeywordsDto {
    return { optOutKeywords: [...optOutKeywords], optInKeywords: [...optInKeywords] };
  }
}
