import type { FieldCode } from '../../kernel/field-problems';
import type { SEND_PROBLEMS } from '../../kernel/message-problems';
import type { PlatformProblem } from '../../kernel/problem-remedies';
import reasonsInGerman from './reasons.de.json';

/** The languages in which a file can have words instead of names of fields and codes. */
export const REPORT_LANGUAGES = ['en', 'de'] as const;
export type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

/** Errors in words plainer than their codes, also for the console. */
export const TITLES = {
  phone_missing: 'Phone number missing',
  phone_invalid: 'Phone number invalid',
  phone_scientific_notation: 'Phone number has lost digits',
  parameter_missing: 'Value missing',
  parameter_too_long: 'Value too long',
  parameter_invalid_characters: 'Value with invalid characters',
  parameter_invalid: 'Value invalid',
  formula_without_value: 'Formula without a result',
  too_many_columns: 'More cells than values',
  extras_invalid: 'File, payload or reference invalid',
  user_id_invalid: 'User ID invalid',
  recipient_ids_differ: 'Phone number and user ID of two people',
  recipient_id_not_allowed: 'Phone number required',
  name_invalid: 'Name invalid',
  user_id_taken: 'User ID of another contact',
  platform_credentials_invalid: 'WhatsApp credentials invalid',
  platform_fault: 'WhatsApp fault',
  platform_overloaded: 'WhatsApp overloaded',
  platform_rate_limited: 'Limited by WhatsApp',
  platform_rejected: 'Rejected by WhatsApp',
  platform_unavailable: 'WhatsApp unavailable',
} as const satisfies Partial<Record<FieldCode | PlatformProblem | keyof typeof SEND_PROBLEMS, string>>;

const IN_ENGLISH: Readonly<Record<string, string | undefined>> = TITLES;
const IN_GERMAN: Readonly<Record<string, string | undefined>> = reasonsInGerman;

/** Its message names the platform's own reason. */
const GENERIC_CODE = 'platform_rejected';

/** Whether the words for the code in a language other than English make its English message redundant. */
export function replacesMessage(code: string, language: ReportLanguage): boolean {
  return language !== 'en' && code !== GENERIC_CODE && IN_GERMAN[code] !== undefined;
}

/** An error code of a recipient or a row in words, as in the console: recipient_unreachable → Recipient unreachable. */
export function reasonOf(code: string, language: ReportLanguage): string {
  const inEnglish = IN_ENGLISH[code] ?? `${code.charAt(0).toUpperCase()}${code.slice(1).replaceAll('_', ' ')}`;
  return language === 'en' ? inEnglish : (IN_GERMAN[code] ?? inEnglish);
}
