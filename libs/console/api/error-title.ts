import { t } from '../language/translate';
import { humanize } from '../ui/format';
import rowTitles from './row-titles.json';

/** Titles of row errors, plainer than their codes. */
const ROW_TITLES: Readonly<Record<string, string | undefined>> = rowTitles;

/** A message, recipient or row error code in words: recipient_unreachable → Recipient unreachable. */
export function errorTitle(code: string): string {
  return t(ROW_TITLES[code] ?? humanize(code));
}

/** Whether the message is one of the platform that starts with its code, such as (#131026). */
export function hasPlatformCode(message: string): boolean {
  return message.startsWith('(#');
}
