import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateBy } from 'class-validator';
import { isCellLanguage } from '../../../../libs/recipient-files/cell-language';
import { EmptyIsAbsent, NumberInText } from '../../../infra/http/uploads/upload-fields.decorators';
import { ValidationFailedError } from '../../../kernel/request.errors';
import type { ReadingRules } from '../domain/file-rows';

/** Names in a workbook have at most 31 characters, in other programs more. */
const MAX_SHEET_NAME = 255;
const MAX_LANGUAGE = 35;
const LAST_ROW = 1_048_576;
const HEADER = { auto: 'auto', true: 'present', false: 'absent' } as const;

/** The form fields of an upload on the place of its list, and its dates and numbers. */
export interface ListPlace {
  hasHeader: keyof typeof HEADER;
  sheet?: string;
  headerRow?: number;
  cellLanguage?: string;
}

/** The form field with the name of a sheet. */
export const SheetField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'Excel: name of the sheet to read, also a hidden one; 400 with all names if there is none. Absent: the first visible sheet with the headers of ' +
        '`columns`, or with numbers in the phone column, in its first 15 filled rows, else the first visible one; a warning `other_sheets: …` lists others with rows.',
      maxLength: MAX_SHEET_NAME,
      example: 'Customers',
    }),
    EmptyIsAbsent(),
    IsOptional(),
    IsString(),
    MaxLength(MAX_SHEET_NAME),
  );

/** The form field with the row of the header. */
export const HeaderRowField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'Row number of the header, as in a spreadsheet; rows above are not read. Absent: the first filled row may be a header; below titles, a ' +
        'header with a word for phone numbers, or with the names in `columns`, is found in the first 10 filled rows, with a warning `header_row: …`.',
      type: 'integer',
      minimum: 1,
      maximum: LAST_ROW,
      example: 3,
    }),
    NumberInText(),
    IsOptional(),
    IsInt(),
    Min(1),
    Max(LAST_ROW),
  );

/** The form field with the language of dates and numbers. */
export const CellLanguageField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'Excel: BCP 47 language in which dates and numbers of cells are written as a spreadsheet program shows them: `06.12.2026`, ' +
        '`7. Dezember 2026`, `1.234,50` with `de`. Texts and formats such as `dd.mm.yyyy` stay. Absent: by the format of the cell, in English. ' +
        'A warning `cell_language: …` shows a text that it changed. Of a CSV file, nothing.',
      type: String,
      maxLength: MAX_LANGUAGE,
      example: 'de',
    }),
    EmptyIsAbsent(),
    IsOptional(),
    ValidateBy({
      name: 'isCellLanguage',
      validator: {
        validate: (value) => typeof value === 'string' && value.length <= MAX_LANGUAGE && isCellLanguage(value),
        defaultMessage: () => 'cellLanguage must be a BCP 47 language, such as de or de-AT',
      },
    }),
  );

type Place = Pick<ReadingRules, 'header' | 'sheet' | 'headerRow' | 'cellLanguage'>;

/** Where a reader finds the list, and how it writes dates and numbers. Throws ValidationFailedError for a header row in a file without a header. */
export function placeOf({ hasHeader, sheet, headerRow, cellLanguage }: ListPlace): Place {
  if (headerRow !== undefined && hasHeader === 'false') {
    const message = 'headerRow is only possible with a header. Remove it, or hasHeader=false.';
    throw new ValidationFailedError([{ field: 'headerRow', code: 'not_allowed', message }]);
  }
  return {
    header: headerRow === undefined ? HEADER[hasHeader] : 'present',
    ...(sheet !== undefined && { sheet }),
    ...(headerRow !== undefined && { headerRow }),
    ...(cellLanguage !== undefined && { cellLanguage }),
  };
}
