import { t } from '../language/translate';
import { humanize } from '../ui/format';
import titles from './titles.json';

/** Titles that are plainer than their codes. */
const TITLES: Readonly<Record<string, string | undefined>> = titles;

/** A message, recipient or row error code in words: recipient_unreachable → Recipient unreachable. */
export function errorTitle(code: string): string {
  return t(TITLES[code] ?? humanize(code));
}

/** Whether the title of the code is a reason in plain words, which needs no further sentence. */
export function isSelfExplanatory(code: string): boolean {
  return TITLES[code] !== undefined;
}

/** Whether the message is one of the platform that starts with its code, such as (#131026). */
export function hasPlatformCode(message: string): boolean {
  return message.startsWith('(#');
}
