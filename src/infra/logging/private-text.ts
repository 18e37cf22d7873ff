import { isPossiblePhoneNumber } from 'libphonenumber-js/max';
import { isUuid } from '../../kernel/uuid';
import { maskPhone } from '../../kernel/phone-number';

const KEY = /\bmta_[A-Za-z0-9]{8}_[\w-]+/g;
const SESSION_TOKEN = /\bmtc_[\w-]{40,}/g;
const UUID_OR_DIGITS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<![a-z\d])\d{8,}/gi;

/**
 * Masks a text for the log: API keys and session tokens completely, and possible phone numbers except for their last 4 digits. UUIDs,
 * digits within a word and platform ids, which are too long for phone numbers, stay readable.
 */
export function withoutPrivateText(text: string): string {
  return text
    .replace(KEY, 'mta_****')
    .replace(SESSION_TOKEN, 'mtc_****')
    .replace(UUID_OR_DIGITS, (found) => (found.includes('-') || isPlatformId(found) ? found : maskPhone(found)));
}

/** E.164 numbers have at most 15 digits, and platform ids at least 15. */
function isPlatformId(digits: string): boolean {
  return digits.length > 15 || (digits.length === 15 && !isPossiblePhoneNumber(`+${digits}`));
}

/** Masks a request target for the log: phone numbers in the path, and all query values, which may be personal. */
export function withoutPrivateParts(url: string): string {
  const [path = '', query] = url.split('?', 2);
  const masked = path.split('/').map(maskSegment).join('/');
  if (!query) return masked;
  const names = [...new Set(new URLSearchParams(query).keys())].map((name) => withoutPrivateText(name).slice(0, 32));
  return `${masked}?${names.join('&')}`;
}

function maskSegment(segment: string): string {
  if (isUuid(segment)) return segment;
  const digits = decoded(segment).replace(/\D/g, '');
  return digits.length >= 7 ? maskPhone(digits) : withoutPrivateText(segment);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
