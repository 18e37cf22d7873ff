import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import type { ClassConstructor } from 'class-transformer';
import {
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
  ValidateIf,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import { JsonInText } from '../../../infra/http/uploads/upload-fields.decorators';
import { ValidationFailedError } from '../../../kernel/request.errors';
import type { FileColumn } from '../domain/column-uses';
import type { SuggestedColumn } from '../domain/file-rows';

/** Maximum length of the header or the letters that name a column, in characters. */
export const MAX_SOURCE = 256;
/** Documentation of what names a column. */
export const SOURCE = { maxLength: MAX_SOURCE };

/** A header or the letters of a column. */
export const IsSource = (options?: ValidationOptions) =>
  applyDecorators(IsString(options), IsNotEmpty(options), MaxLength(MAX_SOURCE, options));

/** An optional column. */
export const OptionalSource = (description: string, example: string) =>
  applyDecorators(ApiPropertyOptional({ ...SOURCE, description, example }), IsOptional(), IsSource());

/** The form field `columns`: a `dto` as JSON, or `auto`. */
export const ColumnsField = (dto: ClassConstructor<object>, description: string, example: object) =>
  applyDecorators(
    ApiPropertyOptional({
      description,
      oneOf: [{ $ref: getSchemaPath(dto) }, { type: 'string', enum: ['auto'] }],
      example,
    }),
    // Without columns, a file would be read by position.
    JsonInText(dto, { mayBeEmpty: false }),
    ValidateIf((_: object, columns: unknown) => columns !== undefined && columns !== 'auto'),
    IsObject(),
    ValidateNested({ message: `must be a JSON object, such as ${JSON.stringify(example)}.` }),
  );

/** The columns of an upload without null fields; undefined: none are named. Throws ValidationFailedError for `auto` without a dry run. */
export function requestedColumns<T extends object>(columns: T | 'auto' | undefined, isDryRun: boolean): T | undefined {
  if (columns === 'auto' && !isDryRun) {
    const message =
      'columns can be "auto" only with dryRun=true. Confirm its suggestedColumns by sending them as columns.';
    throw new ValidationFailedError([{ field: 'columns', code: 'not_allowed', message }]);
  }
  if (!columns || columns === 'auto') return undefined;
  const entries = Object.entries(columns) as [string, unknown][];
  return Object.fromEntries(entries.filter(([, source]) => source !== undefined && source !== null)) as T;
}

/** The use of a column of a file. */
export class FileColumnDto implements FileColumn {
  @ApiProperty({ description: 'Column name as in a spreadsheet.', example: 'B' })
  column: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Header of the column; null if there is none.',
    example: 'name',
  })
  header: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      '`phone`, the value that the column fills, or another field of `columns`; several are separated by commas; null: unused.',
    example: 'value 1 (body {{1}})',
  })
  use: string | null;
}

/** A suggested column. */
export class SuggestedColumnDto implements SuggestedColumn {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Header of the column, or its letter where no header identifies it; null: no column was found.',
    example: 'Mobile',
  })
  source: string | null;

  @ApiProperty({
    description: '`high`: header or content leave no doubt; `low`: likely; `none`: no column was found.',
    enum: ['high', 'low', 'none'],
    example: 'high',
  })
  confidence: SuggestedColumn['confidence'];
}
