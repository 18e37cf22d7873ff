import { applyDecorators, StreamableFile } from '@nestjs/common';
import { ApiPropertyOptional, type ApiResponseOptions, getSchemaPath } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { reasonOf, REPORT_LANGUAGES, type ReportLanguage } from '../../../infra/http/reasons';
import { TABLE_FORMATS, TABLE_TYPES, tableFile, type TableFormat } from '../../../infra/http/table-file';
import { EmptyIsAbsent } from '../../../infra/http/uploads/upload-fields.decorators';
import { ValidationFailedError } from '../../../kernel/request.errors';
import type { XlsxRow } from '../../../infra/xlsx-stream';
import type { BadRows } from '../domain/bad-rows';
import { columnName } from '../domain/column-uses';
import type { RowError } from '../domain/recipient-files.errors';

const BINARY = { type: 'string', format: 'binary' } as const;
/** The headers of the problem and of the row number. */
const TITLES: Readonly<Record<ReportLanguage, readonly [string, string]>> = {
  en: ['Problem', 'Row'],
  de: ['Fehler', 'Zeile'],
};
/** Before the number of the sheet, as of spreadsheet programs. */
const SHEETS: Readonly<Record<ReportLanguage, string>> = { en: 'Sheet', de: 'Tabelle' };
/** Rows may have more cells than the header; columns beyond these are left out of an xlsx file. */
const MAX_COLUMNS = 256;

/** The form field that asks a dry run for the invalid rows as a file. */
export const BadRowsField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'Only with `dryRun=true`: the response is a file with all invalid rows, each with its problem, its number and its cells. If the connection ' +
        'breaks, the file is incomplete.',
      enum: TABLE_FORMATS,
      example: 'xlsx',
    }),
    EmptyIsAbsent(),
    IsOptional(),
    IsIn(TABLE_FORMATS),
  );

/** The form field with the language of that file. */
export const BadRowsLanguageField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'With `badRows`: the language of its problems and of the first two headers. Default: English messages, names of fields.',
      enum: REPORT_LANGUAGES,
      example: 'en',
    }),
    EmptyIsAbsent(),
    IsOptional(),
    IsIn(REPORT_LANGUAGES),
  );

/** Throws ValidationFailedError for `badRows` without a dry run. */
export function checkBadRows({ badRows, dryRun }: { badRows?: TableFormat; dryRun: 'true' | 'false' }): void {
  if (!badRows || dryRun === 'true') return;
  const message = 'badRows is only possible with dryRun=true. Remove it to send, or add dryRun=true.';
  throw new ValidationFailedError([{ field: 'badRows', code: 'not_allowed', message }]);
}

/** The 200 of an upload: the JSON of `dto`, or with `badRows` a file. */
export function answerWithBadRows(dto: new () => object, description: string): ApiResponseOptions {
  return {
    description,
    content: {
      'application/json': { schema: { $ref: getSchemaPath(dto) } },
      [TABLE_TYPES.csv]: { schema: BINARY, example: '"problem","rowNumber","phone","name"\r\n' },
      [TABLE_TYPES.xlsx]: { schema: BINARY, example: 'the bytes of the file' },
    },
  };
}

/**
 * The invalid rows of an upload as a file: the problem and the row number, then the cells of the row below their headers; CSV with the
 * delimiter of the upload.
 */
export function badRowsFile(
  format: TableFormat,
  { headerCells, delimiter, parts }: BadRows,
  language?: ReportLanguage,
): StreamableFile {
  const headers = headerCells ?? Array.from({ length: MAX_COLUMNS }, (_, index) => columnName(index));
  const width = format === 'xlsx' ? MAX_COLUMNS : headers.length;
  const header = [
    ...(language ? TITLES[language] : ['problem', 'rowNumber']),
    ...Array.from({ length: width }, (_, index) => headers[index] ?? ''),
  ];
  const { content, type, name } = tableFile(
    'bad-rows',
    format,
    header,
    rows(parts, language),
    delimiter,
    language && SHEETS[language],
  );
  return new StreamableFile(content, { type, disposition: `attachment; filename="${name}"` });
}

async function* rows(
  parts: AsyncGenerator<readonly RowError[]>,
  language: ReportLanguage | undefined,
): AsyncGenerator<XlsxRow[]> {
  for await (const part of parts) {
    yield part.map((row) => {
      const { rowNumber, cells = [] } = row;
      return [problemOf(row, language), rowNumber, ...cells.slice(0, MAX_COLUMNS)];
    });
  }
}

/** The messages of the service are English. */
function problemOf({ message, code }: RowError, language: ReportLanguage | undefined): string {
  return language === undefined || language === 'en' ? message : reasonOf(code, language);
}
