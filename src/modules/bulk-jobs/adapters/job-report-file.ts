import { Readable } from 'node:stream';
import { csvText } from '../../../infra/csv-text';
import { XLSX_TYPE, type XlsxRow, xlsxStream } from '../../../infra/xlsx-stream';
import type { StreamedFile } from '../../../infra/http/streamed-file';
import type { JobRecipient } from '../domain/job-recipient';

/** The formats of a report. */
export const REPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** The media type of each format. */
export const REPORT_TYPES: Readonly<Record<ReportFormat, string>> = { csv: 'text/csv; charset=utf-8', xlsx: XLSX_TYPE };

const BEFORE_VALUES = ['rowNumber', 'phone'];
const BEHIND_VALUES = [
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

/** The report of a job as a file: a header, then one row for each recipient; `valueTitles` name the values. */
export function reportFile(
  jobId: string,
  format: ReportFormat,
  valueTitles: readonly string[],
  recipients: AsyncGenerator<JobRecipient[]>,
): StreamedFile {
  const parts = rows(valueTitles.length, recipients);
  const header = headerOf(valueTitles);
  const content =
    format === 'csv' ? Readable.from(csv(header, parts), { highWaterMark: 1 }) : xlsxStream(header, parts);
  return { type: REPORT_TYPES[format], name: `report-${jobId}.${format}`, content };
}

/** Named placeholders can have the name of another column. */
function headerOf(valueTitles: readonly string[]): string[] {
  const taken = [...BEFORE_VALUES, ...BEHIND_VALUES];
  const titles = valueTitles.map((title, index) => (taken.includes(title) ? `value ${index + 1} (${title})` : title));
  return [...BEFORE_VALUES, ...titles, ...BEHIND_VALUES];
}

async function* rows(valueCount: number, recipients: AsyncGenerator<JobRecipient[]>): AsyncGenerator<XlsxRow[]> {
  for await (const part of recipients) yield part.map((recipient) => rowOf(recipient, valueCount));
}

/** The header comes with the first piece. */
async function* csv(header: string[], parts: AsyncGenerator<XlsxRow[]>): AsyncGenerator<string> {
  let head: XlsxRow[] = [header];
  for await (const part of parts) {
    yield csvText([...head, ...part], { bom: head.length > 0 });
    head = [];
  }
}

/** Invalid rows can have fewer values, or more than the template has columns for. */
function rowOf(recipient: JobRecipient, valueCount: number): XlsxRow {
  const time = (at: Date | null): string | null => at?.toISOString() ?? null;
  const { parameters } = recipient;
  return [
    recipient.rowNumber,
    recipient.phone,
    ...Array.from({ length: valueCount }, (_, index) => parameters[index] ?? null),
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
