import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsObject,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  MaxLength,
  ValidateBy,
  ValidateNested,
} from 'class-validator';
import { IsPublicUrl } from '../../../infra/http/validation/public-url.validator';
import type { InteractiveContent, InteractiveList, ListRow, ListSection, ReplyButton } from '../domain/message-content';

const MAX_ROWS = 10;

/** One line of 1 to `length` characters. */
const IsLine = (length: number) =>
  applyDecorators(
    IsString(),
    Matches(/\S/, { message: '$property must not be blank' }),
    Matches(/^[^\p{Cc}\p{Cs}]+$/u, { message: '$property must be one line without control characters' }),
    MaxLength(length),
  );

/** A button that sends its title back. */
export class ReplyButtonDto implements ReplyButton {
  @ApiProperty({
    description: "Comes back as `buttonPayload` of the person's message.",
    example: 'confirm-4711',
    maxLength: 256,
  })
  @IsLine(256)
  id: string;

  @ApiProperty({ description: 'Its label.', example: 'Confirm', maxLength: 20 })
  @IsLine(20)
  title: string;
}

/** A row of a list. */
export class ListRowDto implements ListRow {
  @ApiProperty({
    description: "Comes back as `buttonPayload` of the person's message.",
    example: 'slot-2',
    maxLength: 200,
  })
  @IsLine(200)
  id: string;

  @ApiProperty({ description: 'Its first line.', example: '10:00', maxLength: 24 })
  @IsLine(24)
  title: string;

  @ApiPropertyOptional({ description: 'Its second line.', example: 'Tomorrow', maxLength: 72 })
  @IsOptional()
  @IsLine(72)
  description?: string;
}

/** A section of a list. */
export class ListSectionDto implements ListSection {
  @ApiPropertyOptional({ description: 'Required if there are several sections.', example: 'Friday', maxLength: 24 })
  @IsOptional()
  @IsLine(24)
  title?: string;

  @ApiProperty({ description: 'Its rows.', type: [ListRowDto], minItems: 1, maxItems: MAX_ROWS })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ROWS)
  @ValidateNested({ each: true })
  @Type(() => ListRowDto)
  rows: ListRowDto[];
}

/** A list that opens from a button. */
export class InteractiveListDto implements InteractiveList {
  @ApiProperty({ description: 'Label of the button that opens the list.', example: 'Choose a time', maxLength: 20 })
  @IsLine(20)
  buttonText: string;

  @ApiProperty({
    description: 'Up to 10 rows in all, with distinct ids.',
    type: [ListSectionDto],
    minItems: 1,
    maxItems: MAX_ROWS,
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_ROWS)
  @ValidateNested({ each: true })
  @Type(() => ListSectionDto)
  @SectionsRule(
    'arrayMaxSize',
    (sections) => rowsOf(sections).length <= MAX_ROWS,
    `$property must hold at most ${MAX_ROWS} rows in all`,
  )
  @SectionsRule(
    'arrayUnique',
    (sections) => new Set(rowsOf(sections).map(({ id }) => id)).size === rowsOf(sections).length,
    'The ids of the rows must differ',
  )
  @SectionsRule(
    'isNotEmpty',
    (sections) => sections.length === 1 || sections.every(({ title }) => Boolean(title)),
    'Each of several sections needs a title',
  )
  sections: ListSectionDto[];
}

/** A button that opens a URL. */
export class LinkButtonDto {
  @ApiProperty({ description: 'Its label.', example: 'Track the parcel', maxLength: 20 })
  @IsLine(20)
  title: string;

  @ApiProperty({ description: 'Its URL.', example: 'https://shop.example.com/t/4711', maxLength: 2000 })
  @IsString()
  @MaxLength(2000)
  @IsPublicUrl()
  @IsUrl(
    { protocols: ['http', 'https'], require_protocol: true },
    { message: '$property must be a URL that starts with https:// or http://' },
  )
  url: string;
}

/** What a person can press: exactly one of `buttons`, `list` and `link`. */
export class InteractiveDto implements InteractiveContent {
  @ApiPropertyOptional({
    description: 'Buttons that send their titles back, with distinct ids.',
    type: [ReplyButtonDto],
    minItems: 1,
    maxItems: 3,
  })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(3)
  @ArrayUnique((button: Partial<ReplyButton> | null) => button?.id, { message: 'The ids of the buttons must differ' })
  @ValidateNested({ each: true })
  @Type(() => ReplyButtonDto)
  buttons?: ReplyButtonDto[];

  @ApiPropertyOptional({ description: 'A list of rows.', type: InteractiveListDto })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => InteractiveListDto)
  list?: InteractiveListDto;

  @ApiPropertyOptional({ description: 'A link.', type: LinkButtonDto })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => LinkButtonDto)
  link?: LinkButtonDto;

  @ApiPropertyOptional({ description: 'Small print below the text.', example: 'Acme Parcels', maxLength: 60 })
  @IsOptional()
  @IsLine(60)
  footer?: string;
}

function rowsOf(sections: readonly ListSectionDto[]): ListRowDto[] {
  return sections.flatMap(({ rows }) => (Array.isArray(rows) ? rows : []));
}

/** A rule for all sections of a list; other values have their own errors. */
function SectionsRule(
  name: string,
  holds: (sections: readonly ListSectionDto[]) => boolean,
  message: string,
): PropertyDecorator {
  const isChecked = (value: unknown): value is ListSectionDto[] =>
    Array.isArray(value) && value.every((one) => one instanceof ListSectionDto);
  return ValidateBy(
    { name, validator: { validate: (value: unknown) => !isChecked(value) || holds(value) } },
    { message },
  );
}
