import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { AsSent } from '../../../infra/http/validation/as-sent.decorator';
import {
  IsSource,
  MAX_SOURCE,
  OptionalSource,
  SOURCE,
  SuggestedColumnDto,
} from '../../recipient-files/adapters/file-columns.dto';
import type { SuggestedColumns } from '../../recipient-files/domain/file-rows';
import type { RequestedColumns, RequestedValue } from '../domain/file-columns';

/** Maximum length of a text instead of a cell. */
const MAX_DEFAULT = 1024;

const isSource = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= MAX_SOURCE;
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const Passes = (validate: (value: unknown) => boolean, message: string) =>
  ValidateBy({ name: 'matches', validator: { validate, defaultMessage: () => `$property ${message}` } });

const isAbsent = (value: unknown) => (value ?? null) === null;
const isDefault = (text: unknown) => typeof text === 'string' && text !== '' && text.length <= MAX_DEFAULT;

function isValue(value: unknown): boolean {
  if (!isObject(value)) return isSource(value);
  const { column, default: text, ...others } = value as Record<string, unknown>;
  const isGiven = !isAbsent(column) || !isAbsent(text);
  const isValid = (isAbsent(column) || isSource(column)) && (isAbsent(text) || isDefault(text));
  return isGiven && isValid && Object.keys(others).length === 0;
}

/** The column of a value with a default, or the same text for all. */
export class FileValueDto {
  @ApiPropertyOptional({
    ...SOURCE,
    description: 'Column of the value. Absent: `default` is the value for all.',
    example: 'City',
  })
  column?: string;

  @ApiPropertyOptional({
    description: 'Value of rows whose cell is empty; absent: these rows fail with `parameter_missing`.',
    minLength: 1,
    maxLength: MAX_DEFAULT,
    example: 'your city',
  })
  default?: string;
}

const VALUE = { oneOf: [{ type: 'string', maxLength: MAX_SOURCE }, { $ref: getSchemaPath(FileValueDto) }] };

/** Columns of an upload by name. */
@ApiExtraModels(FileValueDto)
export class FileColumnsDto implements RequestedColumns {
  @ApiProperty({
    ...SOURCE,
    description: 'Column of the phone numbers; a cell may have the user id of a person without one instead.',
    example: 'Mobile',
  })
  @IsSource()
  phone: string;

  @OptionalSource('Column of user ids, used for rows without a phone number.', 'WhatsApp id')
  userId?: string;

  @ApiPropertyOptional({
    description:
      'Columns of the values: a list in the order of the values, or an object by placeholder name, or by the number of a value ' +
      'without a name. Each value needs one, or a default; default: none.',
    oneOf: [
      { type: 'array', items: VALUE },
      { type: 'object', additionalProperties: VALUE },
    ],
    example: ['First name', 'Order'],
  })
  @Passes(
    (value) => (Array.isArray(value) || isObject(value)) && Object.values(value).every(isValue),
    `must be a list of columns, or an object with a column for each placeholder, each 1 to ${MAX_SOURCE} characters, or an object with ` +
      `"column", "default" of 1 to ${MAX_DEFAULT} characters, or both`,
  )
  @AsSent()
  values: RequestedValue[] | Record<string, RequestedValue> = [];

  @OptionalSource('Column of media ids for the header.', 'Media')
  headerMediaId?: string;

  @OptionalSource('Column of public URLs for the header.', 'Invoice')
  headerMediaUrl?: string;

  @OptionalSource('Column of the file names that recipients see.', 'File name')
  headerMediaFileName?: string;

  @OptionalSource('Column of your own references of the recipients.', 'Customer number')
  reference?: string;

  @ApiPropertyOptional({
    description: 'Columns of the payloads of quick-reply buttons, by the index of the button.',
    type: 'object',
    additionalProperties: { type: 'string', maxLength: MAX_SOURCE },
    example: { '0': 'Answer' },
  })
  @IsOptional()
  @Passes(
    (value) => isObject(value) && Object.entries(value).every(([key, source]) => /^\d$/.test(key) && isSource(source)),
    `must name buttons by their index, "0" to "9", each with a column of 1 to ${MAX_SOURCE} characters`,
  )
  quickReplyPayloads?: Record<string, string>;

  @OptionalSource('Column of flow tokens.', 'Booking')
  flowToken?: string;
}

/** Suggested columns. */
export class SuggestedColumnsDto implements SuggestedColumns {
  @ApiProperty({ type: SuggestedColumnDto, description: 'Column of the phone numbers.' })
  phone: SuggestedColumnDto;

  @ApiProperty({ type: [SuggestedColumnDto], description: 'One column for each value of the template, in order.' })
  values: SuggestedColumnDto[];

  @ApiPropertyOptional({ type: SuggestedColumnDto, description: 'Column of public URLs for a media header.' })
  headerMediaUrl?: SuggestedColumnDto;

  @ApiPropertyOptional({ type: SuggestedColumnDto, description: 'Column of references.' })
  reference?: SuggestedColumnDto;

  @ApiPropertyOptional({ type: SuggestedColumnDto, description: 'Column of user ids, if one was found.' })
  userId?: SuggestedColumnDto;

  @ApiPropertyOptional({
    type: SuggestedColumnDto,
    description: 'Column of the file names of a document header, if one was found.',
  })
  headerMediaFileName?: SuggestedColumnDto;

  @ApiPropertyOptional({
    description: 'Columns of the payloads of quick-reply buttons that were found, by the index of the button.',
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(SuggestedColumnDto) },
    example: { '0': { source: 'Payload', confidence: 'low' } },
  })
  quickReplyPayloads?: Record<string, SuggestedColumnDto>;

  @ApiPropertyOptional({ type: SuggestedColumnDto, description: 'Column of flow tokens, if one was found.' })
  flowToken?: SuggestedColumnDto;
}
