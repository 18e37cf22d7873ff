import { csvText } from '../../../infra/csv-text';
import { XLSX_TYPE } from '../../../infra/xlsx-stream';
import type { SampleFile } from '../domain/sample-file';

/** The media type of each kind of sample file. */
export const SAMPLE_FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: XLSX_TYPE,
} as const;

const COLUMN_WIDTH = 24;

/** Writes the two rows of a sample file. */
export async function sampleFileBytes({ header, example }: SampleFile, format: 'csv' | 'xlsx'): Promise<Buffer> {
  // With a byte order mark, without which spreadsheet programs assume another encoding.
  if (format === 'csv') return Buffer.from(csvText([header, example], { bom: true }));
  // Loaded on first use, since it slows down the start and takes memory.
  const { default: ExcelJS } = await import('exceljs');
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Recipients');
  sheet.columns = header.map(() => ({ width: COLUMN_WIDTH, style: { numFmt: '@' } }));
  sheet.addRows([header, example]);
  sheet.getRow(1).font = { bold: true };
  return Buffer.from(await book.xlsx.writeBuffer());
}
