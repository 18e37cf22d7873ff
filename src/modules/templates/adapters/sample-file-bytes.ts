import { stringify } from 'csv-stringify/sync';
import type { SampleFile } from '../domain/sample-file';

/** The media type of each kind of sample file. */
export const SAMPLE_FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

const COLUMN_WIDTH = 24;

/** The two rows of a sample file as a file. */
export async function sampleFileBytes({ header, example }: SampleFile, format: 'csv' | 'xlsx'): Promise<Buffer> {
  // With the mark of its encoding, without which spreadsheet programs show other letters.
  if (format === 'csv') return Buffer.from(stringify([header, example], { bom: true, record_delimiter: 'windows' }));
  // Loaded when the first is wanted: it would make every start slower and every worker larger.
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Recipients');
  sheet.columns = header.map(() => ({ width: COLUMN_WIDTH, style: { numFmt: '@' } }));
  sheet.addRows([header, example]);
  sheet.getRow(1).font = { bold: true };
  return Buffer.from(await book.xlsx.writeBuffer());
}
