import { Readable } from 'node:stream';
import { csvText } from '../../../infra/csv-text';
import { XLSX_TYPE, type XlsxRow, xlsxStream } from '../../../infra/xlsx-stream';
import type { StreamedFile } from '../../../infra/http/edge/streamed-file';
import type { JobRecipient } from '../domain/job-recipient';
import type { JobReport } from '../domain/job-reports.service';
import { ownTexts, sheetCells } from '../domain/report-columns';

/** The formats of a report. */
export const REPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The media type of each format. */
export const REPORT_TYPES: Readonly<Record<ReportFormat, string>> = { csv: 'text/csv; charset=utf-8', xlsx: XLSX_TYPE };

/**
 * The columns in front of those of the outcome. sheet: those of the uploaded file, if the job was created from one; otherwise, and
 * with standard, row number, phone, values, and the fields that recipients have of their own.
 */
export const REPORT_LAYOUTS = ['sheet', 'standard'] as const;
export type ReportLayout = (typeof REPORT_LAYOUTS)[number];

const OUTCOME = [
  'status',
  'errorCode',
  'errorMessage',
  'platformCode',
  'messageId',
  'sentAt',
  'deliveredAt',
  'readAt',
  'updatedAt',
];

/** A table of recipients without their outcome. */
interface RecipientTable {
  titles: string[];
  cellsOf: (recipient: JobRecipient) => XlsxRow;
}

/**
 * The report of a job as a file: a header, then one row for each recipient of `recipients`. The default layout is the sheet if its
 * columns were given by name.
 */
export function reportFile(
  jobId: string,
  { format, layout }: { format: ReportFormat; layout?: ReportLayout },
  report: JobReport,
  recipients: AsyncGenerator<JobRecipient[]>,
): StreamedFile {
  const { sheet } = report;
  const isSheet = layout ? layout === 'sheet' : sheet?.byName === true;
  const { titles, cellsOf } =
    sheet && isSheet
      ? {
          titles: [...sheet.titles, ...outcomeTitles(sheet.titles)],
          cellsOf: (one: JobRecipient) => sheetCells(sheet, one),
        }
      : standardTable(report);
  return tableFile(`report-${jobId}`, format, titles, rows(cellsOf, recipients));
}

function standardTable({ valueTitles, fields }: JobReport): RecipientTable {
  const hasUserIds = fields.includes('userId');
  const others = fields.filter((field) => field !== 'userId');
  const beforeValues = ['rowNumber', 'phone', ...(hasUserIds ? ['userId'] : [])];
  // A named placeholder can have the name of another column.
  const taken = [...beforeValues, ...others, ...OUTCOME];
  const titles = valueTitles.map((title, index) => (taken.includes(title) ? `value ${index + 1} (${title})` : title));
  return {
    titles: [...beforeValues, ...titles, ...others, ...OUTCOME],
    cellsOf: (recipient) => {
      const { rowNumber, person, parameters } = recipient;
      // Invalid rows can have fewer or more values than the template.
      const values = valueTitles.map((_, index) => parameters[index] ?? null);
      if (fields.length === 0) return [rowNumber, person, ...values];
      const own = ownTexts(recipient);
      const texts = (names: readonly string[]) => names.map((field) => own[field] ?? null);
      return [rowNumber, person, ...texts(hasUserIds ? ['userId'] : []), ...values, ...texts(others)];
    },
  };
}

/** The titles of the outcome; those that the sheet has already get a suffix. */
function outcomeTitles(sheetTitles: readonly string[]): string[] {
  return OUTCOME.map((title) => {
    let unique = title;
    for (let count = 1; sheetTitles.includes(unique); count++) unique = `${title} (${count === 1 ? 'message' : count})`;
    return unique;
  });
}

/** A table as a file. */
export function tableFile(
  name: string,
  format: ReportFormat,
  header: string[],
  parts: AsyncGenerator<XlsxRow[]>,
): StreamedFile {
  const content =
    format === 'csv' ? Readable.from(csv(header, parts), { highWaterMark: 1 }) : xlsxStream(header, parts);
  return { type: REPORT_TYPES[format], name: `${name}.${format}`, content };
}

async function* rows(
  cellsOf: RecipientTable['cellsOf'],
  recipients: AsyncGenerator<JobRecipient[]>,
): AsyncGenerator<XlsxRow[]> {
  for await (const part of recipients) yield part.map((recipient) => [...cellsOf(recipient), ...outcomeOf(recipient)]);
}

/** The first chunk starts with the header. */
async function* csv(header: string[], parts: AsyncGenerator<XlsxRow[]>): AsyncGenerator<string> {
  let head: XlsxRow[] = [header];
  for await (const part of parts) {
    yield csvText([...head, ...part], { bom: head.length > 0 });
    head = [];
  }
}

function outcomeOf(recipient: JobRecipient): XlsxRow {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  return [
    recipient.status,
    recipient.errorCode,
    recipient.errorMessage,
    recipient.platformCode,
    recipient.messageId,
    time(recipient.sentAt),
    time(recipient.deliveredAt),
    time(recipient.readAt),
    time(recipient.updatedAt),
  ];
}
