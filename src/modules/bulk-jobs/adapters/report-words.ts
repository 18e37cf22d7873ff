import { RECIPIENT_ROW_CODES } from '../../../kernel/message-problems';
import type { RecipientStatus } from '../domain/job-recipient';
import reasonsInGerman from './reasons.de.json';

/** The languages in which a report can have words instead of names of fields and codes. */
export const REPORT_LANGUAGES = ['en', 'de'] as const;
export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

/** The words of the columns and states of a report. */
export interface ReportWords {
  rowNumber: string;
  problem: string;
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
    ...{ rowNumber: 'Row', problem: 'Problem', phone: 'Phone', status: 'Status', reason: 'Reason', details: 'Details' },
    ...{ messageId: 'Message ID', sentAt: 'Sent', deliveredAt: 'Delivered', readAt: 'Read' },
    invalidRow: 'Invalid row',
    statuses: {
      ...{ Pending: 'Not sent yet', Sent: 'Sent', Delivered: 'Delivered', Read: 'Read', Undelivered: 'Not delivered' },
      ...{ Failed: 'Failed', Skipped: 'Opted out', Unknown: 'Unconfirmed', Cancelled: 'Cancelled' },
    },
  },
  de: {
    ...{ rowNumber: 'Zeile', problem: 'Fehler', phone: 'Telefon', status: 'Status', reason: 'Grund' },
    ...{
      details: 'Einzelheiten (englisch)',
      messageId: 'Nachrichten-ID',
      sentAt: 'Gesendet',
      deliveredAt: 'Zugestellt',
    },
    ...{ readAt: 'Gelesen', invalidRow: 'Fehlerhafte Zeile' },
    statuses: {
      ...{ Pending: 'Noch nicht gesendet', Sent: 'Gesendet', Delivered: 'Zugestellt', Read: 'Gelesen' },
      ...{ Undelivered: 'Nicht zugestellt', Failed: 'Fehlgeschlagen', Skipped: 'Abgemeldet' },
      ...{ Unknown: 'Unbestätigt', Cancelled: 'Abgebrochen' },
    },
  },
};

const REASONS_IN_GERMAN: Readonly<Record<string, string | undefined>> = reasonsInGerman;
const ROW_CODES: readonly string[] = RECIPIENT_ROW_CODES;

/** The words of a language. */
export function reportWords(language: ReportLanguage): ReportWords {
  return WORDS[language];
}

/** An error code of a recipient in words: recipient_unreachable → Recipient unreachable. */
export function reasonOf(code: string, language: ReportLanguage): string {
  const inEnglish = `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
  return language === 'en' ? inEnglish : (REASONS_IN_GERMAN[code] ?? inEnglish);
}

/** The state of a recipient in words. */
export function stateOf(
  { status, errorCode }: { status: RecipientStatus; errorCode: string | null },
  language: ReportLanguage,
): string {
  const { invalidRow, statuses } = WORDS[language];
  return status === 'Failed' && ROW_CODES.includes(errorCode ?? '') ? invalidRow : statuses[status];
}
