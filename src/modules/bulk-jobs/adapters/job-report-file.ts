import { Readable } from 'node:stream';
import { csvParts } from '../../../infra/csv-text';
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

/** comma, or sheet: that of the uploaded CSV file, if the job was created from one. */
export const REPORT_DELIMITERS = ['comma', 'sheet'] as const;
export type ReportDelimiter = (typeof REPORT_DELIMITERS)[number];

/** How a report is written. */
export interface ReportForm {
  format: ReportFormat;
  layout?: ReportLayout;
  delimiter?: ReportDelimiter;
  /** Of the times; absent: UTC in ISO 8601. */
  timeZone?: string;
}

const TIMES = ['sentAt', 'deliveredAt', 'readAt', 'updatedAt'] as const;
const OUTCOME = ['status', 'errorCode', 'errorMessage', 'platformCode', 'messageId', ...TIMES];
/** Not allowed in file names by some systems. */
const UNFIT_FOR_NAMES = /[\\/:*?"<>|\p{Cc}]/gu;

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
  { format, layout, delimiter, timeZone }: ReportForm,
  report: JobReport,
  recipients: AsyncGenerator<JobRecipient[]>,
): StreamedFile {
  const { sheet } = report;
  const isSheet = layout ? layout === 'sheet' : sheet?.byName === true;
  const { titles, cellsOf } =
    sheet && isSheet
      ? {
          titles: [...sheet.titles, ...outcomeTitles(sheet.titles, timeZone)],
          cellsOf: (one: JobRecipient) => sheetCells(sheet, one),
        }
      : standardTable(report, outcomeTitles([], timeZone));
  const name = report.name === null ? `report-${jobId}` : `${report.name.replaceAll(UNFIT_FOR_NAMES, '-')} report`;
  const parts = rows(cellsOf, recipients, timeFormat(timeZone));
  return tableFile(name, format, titles, parts, delimiter === 'sheet' ? sheet?.delimiter : undefined);
}

/** ISO 8601 in UTC, or such as 2026-01-15 10:30:00 in the time zone. */
function timeFormat(timeZone: string | undefined): (at: Date) => string {
  if (timeZone === undefined) return (at) => at.toISOString();
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (at) => format.format(at);
}

function standardTable({ valueTitles, fields }: JobReport, outcome: readonly string[]): RecipientTable {
  const hasUserIds = fields.includes('userId');
  const others = fields.filter((field) => field !== 'userId');
  const beforeValues = ['rowNumber', 'phone', ...(hasUserIds ? ['userId'] : [])];
  // A named placeholder can have the name of another column.
  const taken = [...beforeValues, ...others, ...outcome];
  const titles = valueTitles.map((title, index) => (taken.includes(title) ? `value ${index + 1} (${title})` : title));
  return {
    titles: [...beforeValues, ...titles, ...others, ...outcome],
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

/** The titles of the outcome, times with their time zone; those that the sheet has already get a suffix. */
function outcomeTitles(sheetTitles: readonly string[], timeZone: string | undefined): string[] {
  return OUTCOME.map((name) => {
    const title = timeZone !== undefined && TIMES.some((time) => time === name) ? `${name} (${timeZone})` : name;
    let unique = title;
    for (let count = 1; sheetTitles.includes(unique); count++) unique = `${title} (${count === 1 ? 'message' : count})`;
    return unique;
  });
}

/** A table as a file; `delimiter`: of CSV, a comma by default. */
export function tableFile(
  name: string,
  format: ReportFormat,
  header: string[],
  parts: AsyncGenerator<XlsxRow[]>,
  delimiter?: string,
): StreamedFile {
  const content =
    format === 'csv'
      ? Readable.from(csvParts(header, parts, delimiter), { highWaterMark: 1 })
      : xlsxStream(header, parts);
  return { type: REPORT_TYPES[format], name: `${name}.${format}`, content };
}

async function* rows(
  cellsOf: RecipientTable['cellsOf'],
  recipients: AsyncGenerator<JobRecipient[]>,
  textOf: (at: Date) => string,
): AsyncGenerator<XlsxRow[]> {
  for await (const part of recipients) {
    yield part.map((recipient) => [...cellsOf(recipient), ...outcomeOf(recipient, textOf)]);
  }
}

function outcomeOf(recipient: JobRecipient, textOf: (at: Date) => string): XlsxRow {
  const time = (at: Date | null): string | null => at && textOf(at);
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
