import { Readable } from 'node:stream';
import { csvParts } from '../csv-text';
import { XLSX_TYPE, type XlsxRow, xlsxStream } from '../xlsx-stream';
import type { StreamedFile } from './edge/streamed-file';

/** The formats of a table. */
export const TABLE_FORMATS = ['csv', 'xlsx'] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** The media type of each format. */
export const TABLE_TYPES: Readonly<Record<TableFormat, string>> = { csv: 'text/csv; charset=utf-8', xlsx: XLSX_TYPE };

/** A table as a file; `delimiter`: of CSV, a comma by default; `sheetWord`: before the numbers of the sheets. */
export function tableFile(
  name: string,
  format: TableFormat,
  header: string[],
  parts: AsyncGenerator<XlsxRow[]>,
  delimiter?: string,
  sheetWord?: string,
): StreamedFile {
  const content =
    format === 'csv'
      ? Readable.from(csvParts(header, parts, delimiter), { highWaterMark: 1 })
      : xlsxStream(header, parts, undefined, sheetWord);
  return { type: TABLE_TYPES[format], name: `${name}.${format}`, content };
}
