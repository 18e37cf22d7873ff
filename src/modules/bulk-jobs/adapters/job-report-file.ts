import type { XlsxRow } from '../../../infra/xlsx-stream';
import type { StreamedFile } from '../../../infra/http/edge/streamed-file';
import { type TableFormat, tableFile } from '../../../infra/http/table-file';
import { reasonOf, replacesMessage, type ReportLanguage } from '../../../infra/http/reasons';
import type { JobRecipient } from '../domain/job-recipient';
import type { JobReport } from '../domain/job-reports.service';
import { type JobSheet, ownTexts, sheetCells } from '../domain/report-columns';
import { type ReportWords, reportWords, stateOf } from './report-words';

/**
 * The columns in front of those of the outcome. sheet: those of the uploaded file, if the job was created from one; otherwise, and
 * with standard, row number, phone, values, and the fields that recipients have of their own.
 */
export const REPORT_LAYOUTS = ['sheet', 'standard'] as const;
export type ReportLayout = (typeof REPORT_LAYOUTS)[number];

/** comma, or sheet: that of the uploaded CSV file; if there is none, that of spreadsheet programs in the language of the report. */
export const REPORT_DELIMITERS = ['comma', 'sheet'] as const;
export type ReportDelimiter = (typeof REPORT_DELIMITERS)[number];

/** How a report is written. */
export interface ReportForm {
  format: TableFormat;
  layout?: ReportLayout;
  delimiter?: ReportDelimiter;
  /** Of the times; absent: UTC in ISO 8601. */
  timeZone?: string;
  /** Absent: names of fields and codes. */
  language?: ReportLanguage;
}

const CODED_TIMES = ['sentAt', 'deliveredAt', 'readAt', 'updatedAt'] as const;
/** Not allowed in file names by some systems. */
const UNFIT_FOR_NAMES = /[\\/:*?"<>|\p{Cc}]/gu;

/** A table of recipients without their outcome. */
interface RecipientTable {
  titles: string[];
  cellsOf: (recipient: JobRecipient) => XlsxRow;
}

/** The columns of the outcome. */
interface Outcome {
  /** Titles of times contain their time zone. */
  titles: string[];
  cellsOf: (recipient: JobRecipient) => XlsxRow;
}

/**
 * The report of a job as a file: a header, then one row for each recipient of `recipients`. The default layout is the sheet if its
 * columns were given by name.
 */
export function reportFile(
  jobId: string,
  form: ReportForm,
  report: JobReport,
  recipients: AsyncGenerator<JobRecipient[]>,
): StreamedFile {
  const { format, layout, delimiter, language } = form;
  const { sheet } = report;
  const isSheet = layout ? layout === 'sheet' : sheet?.byName === true;
  const words = language && reportWords(language);
  const outcome = language ? wordedOutcome(form, language) : codedOutcome(form);
  const { titles, cellsOf } =
    sheet && isSheet ? sheetTable(sheet, outcome.titles, words) : standardTable(report, outcome.titles, words);
  const name =
    report.name === null
      ? `report-${jobId}`
      : `${report.name.replaceAll(UNFIT_FOR_NAMES, '-')} ${words?.report ?? 'report'}`;
  const parts = rows((recipient) => [...cellsOf(recipient), ...outcome.cellsOf(recipient)], recipients);
  const ofPrograms = delimiter === 'sheet' ? (sheet?.delimiter ?? words?.delimiter) : undefined;
  return tableFile(name, format, titles, parts, ofPrograms, words?.sheet);
}

/** For programs: names of fields and codes. */
function codedOutcome({ timeZone }: ReportForm): Outcome {
  const textOf = timeFormat(timeZone);
  return {
    titles: [
      ...['status', 'errorCode', 'errorMessage', 'platformCode', 'messageId'],
      ...CODED_TIMES.map((name) => inZone(name, timeZone)),
    ],
    cellsOf: (one) => [
      ...[one.status, one.errorCode, one.errorMessage, one.platformCode, one.messageId],
      ...CODED_TIMES.map((name) => one[name] && textOf(one[name])),
    ],
  };
}

/** For people: words of a language and, in a spreadsheet, local times that it sorts and filters as such. */
function wordedOutcome({ format, timeZone }: ReportForm, language: ReportLanguage): Outcome {
  const { status, reason, details, messageId, sentAt, deliveredAt, readAt } = reportWords(language);
  const textOf = timeFormat(timeZone);
  const detailsOf = ({ errorCode, errorMessage }: JobRecipient): string | null =>
    errorCode !== null && replacesMessage(errorCode, language) ? null : errorMessage;
  const timeOf = (at: Date | null): string | Date | null => {
    if (at === null || timeZone === undefined || format === 'csv') return at && textOf(at);
    return new Date(`${textOf(at).replace(' ', 'T')}Z`);
  };
  return {
    titles: [
      status,
      reason,
      ...[sentAt, deliveredAt, readAt].map((time) => inZone(time, timeZone)),
      details,
      messageId,
    ],
    cellsOf: (one) => [
      ...[stateOf(one, language), one.errorCode && reasonOf(one.errorCode, language)],
      ...[timeOf(sentAtOf(one)), timeOf(one.deliveredAt), timeOf(one.readAt), detailsOf(one), one.messageId],
    ],
  };
}

/** The platform reports whole seconds, so the acceptance may be recorded after the second of the delivery. */
function sentAtOf({ sentAt, deliveredAt }: JobRecipient): Date | null {
  return sentAt !== null && deliveredAt !== null && deliveredAt < sentAt ? deliveredAt : sentAt;
}

function inZone(title: string, timeZone: string | undefined): string {
  return timeZone === undefined ? title : `${title} (${timeZone})`;
}

/** ISO 8601 in UTC, or such as 2026-01-15 10:30:00 in the time zone. */
function timeFormat(timeZone: string | undefined): (at: Date) => string {
  if (timeZone === undefined) return (at) => at.toISOString();
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  return (at) => format.format(at);
}

/** With `words`, the row number comes first. */
function sheetTable(sheet: JobSheet, outcome: readonly string[], words: ReportWords | undefined): RecipientTable {
  const titles = words ? [uniqueAmong(sheet.titles, words.rowNumber), ...sheet.titles] : sheet.titles;
  return {
    titles: [...titles, ...outcome.map((title) => uniqueAmong(titles, title))],
    cellsOf: (one) => (words ? [one.rowNumber, ...sheetCells(sheet, one)] : sheetCells(sheet, one)),
  };
}

function standardTable(
  { valueTitles, fields }: JobReport,
  outcome: readonly string[],
  words: ReportWords | undefined,
): RecipientTable {
  const hasUserIds = fields.includes('userId');
  const others = fields.filter((field) => field !== 'userId');
  const { rowNumber: row, phone } = words ?? { rowNumber: 'rowNumber', phone: 'phone' };
  const beforeValues = [row, phone, ...(hasUserIds ? ['userId'] : [])];
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

/** The title, with a suffix if another column has it. */
function uniqueAmong(titles: readonly string[], title: string): string {
  let unique = title;
  for (let count = 1; titles.includes(unique); count++) unique = `${title} (${count === 1 ? 'message' : count})`;
  return unique;
}

async function* rows(
  cellsOf: (recipient: JobRecipient) => XlsxRow,
  recipients: AsyncGenerator<JobRecipient[]>,
): AsyncGenerator<XlsxRow[]> {
  for await (const part of recipients) yield part.map(cellsOf);
}
