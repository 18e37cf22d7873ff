import { StreamableFile } from '@nestjs/common';
import type { XlsxRow } from '../../../infra/xlsx-stream';
import { columnName } from '../../recipient-files/domain/column-uses';
import type { InvalidRow } from '../../recipient-files/domain/file-rows';
import type { BadRows } from '../domain/file-imports.service';
import { type ReportFormat, tableFile } from './job-report-file';
import { reasonOf, type ReportLanguage, reportWords } from './report-words';

/** Rows may have more cells than the header; columns beyond these are left out of an xlsx file. */
const MAX_COLUMNS = 256;

/**
 * The invalid rows of an upload as a file: the problem and the row number, then the cells of the row below their headers; CSV with the
 * delimiter of the upload.
 */
export function badRowsFile(
  format: ReportFormat,
  { headerCells, delimiter, parts }: BadRows,
  language?: ReportLanguage,
): StreamableFile {
  const words = language && reportWords(language);
  const headers = headerCells ?? Array.from({ length: MAX_COLUMNS }, (_, index) => columnName(index));
  const width = format === 'xlsx' ? MAX_COLUMNS : headers.length;
  const header = [
    words?.problem ?? 'problem',
    words?.rowNumber ?? 'rowNumber',
    ...Array.from({ length: width }, (_, index) => headers[index] ?? ''),
  ];
  const { content, type, name } = tableFile('bad-rows', format, header, rows(parts, language), delimiter);
  return new StreamableFile(content, { type, disposition: `attachment; filename="${name}"` });
}

async function* rows(
  parts: AsyncGenerator<InvalidRow[]>,
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
function problemOf({ message, code }: InvalidRow, language: ReportLanguage | undefined): string {
  return language === undefined || language === 'en' ? message : reasonOf(code, language);
}
