import { t } from '../language/translate';
import { humanize } from '../ui/format';

/** A message or recipient error code in words: recipient_unreachable → Recipient unreachable. */
export function errorTitle(code: string): string {
  return t(humanize(code));
}

/** The message of the service about an error, which is English; in other languages the title of its code, if there is one. */
export function errorText(code: string, message: string): string {
  const title = errorTitle(code);
  return title === humanize(code) ? message : title;
}
