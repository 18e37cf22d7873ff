import { RECIPIENT_ROW_CODES } from '../../../kernel/message-problems';
import type { ReportLanguage } from '../../../infra/http/reasons';
import type { RecipientStatus } from '../domain/job-recipient';

/** The words of the columns and states of a report. */
export interface ReportWords {
  /** In the name of the file. */
  report: string;
  /** Before the numbers of the sheets. */
  sheet: string;
  /** With which spreadsheet programs of the language open a CSV file in columns. */
  delimiter: string;
  rowNumber: string;
  phone: string;
  status: string;
  reason: string;
  details: string;
  messageId: string;
  sentAt: string;
  deliveredAt: string;
  readAt: string;
  invalidRow: string;
  statuses: Readonly<Record<RecipientStatus, string>>;
}

/** The states as in the console. */
const WORDS: Readonly<Record<ReportLanguage, ReportWords>> = {
  en: {
    ...{ report: 'report', sheet: 'Report', delimiter: ',' },
    ...{ rowNumber: 'Row', phone: 'Phone', status: 'Status', reason: 'Reason', details: 'Details' },
    ...{ messageId: 'Message ID', sentAt: 'Sent', deliveredAt: 'Delivered', readAt: 'Read' },
    invalidRow: 'Invalid row',
    statuses: {
      ...{ Pending: 'Not sent yet', Sent: 'Sent', Delivered: 'Delivered', Read: 'Read', Undelivered: 'Not delivered' },
      ...{ Failed: 'Failed', Skipped: 'Opted out', Unknown: 'Unconfirmed', Cancelled: 'Cancelled' },
    },
  },
  de: {
    ...{ report: 'Bericht', sheet: 'Bericht', delimiter: ';' },
    ...{ rowNumber: 'Zeile', phone: 'Telefon', status: 'Status', reason: 'Grund' },
    ...{
      details: 'Einzelheiten (englisch)',
      messageId: 'Nachrichten-ID',
      sentAt: 'Gesendet',
      deliveredAt: 'Zugestellt',
    },
    ...{ readAt: 'Gelesen', invalidRow: 'Ungültige Zeile' },
    statuses: {
      ...{ Pending: 'Noch nicht gesendet', Sent: 'Gesendet', Delivered: 'Zugestellt', Read: 'Gelesen' },
      ...{ Undelivered: 'Nicht zugestellt', Failed: 'Fehlgeschlagen', Skipped: 'Abgemeldet' },
      ...{ Unknown: 'Unbestätigt', Cancelled: 'Abgebrochen' },
    },
  },
};

const ROW_CODES: readonly string[] = RECIPIENT_ROW_CODES;

/** The words of a language. */
export function reportWords(language: ReportLanguage): ReportWords {
  return WORDS[language];
}

/** The state of a recipient in words. */
export function stateOf(
  { status, errorCode }: { status: RecipientStatus; errorCode: string | null },
  language: ReportLanguage,
): string {
  const { invalidRow, statuses } = WORDS[language];
  return status === 'Failed' && ROW_CODES.includes(errorCode ?? '') ? invalidRow : statuses[status];
}
