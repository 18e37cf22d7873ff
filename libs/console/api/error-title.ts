import { t } from '../language/translate';
import { humanize } from '../ui/format';

/** A message or recipient error code in words: recipient_unreachable → Recipient unreachable. */
export function errorTitle(code: string): string {
  return t(humanize(code));
}
