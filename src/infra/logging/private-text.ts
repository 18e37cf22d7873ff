import { isUuid } from '../../kernel/uuid';
import { maskPhone } from '../../kernel/phone-number';

const KEY = /\bmta_[A-Za-z0-9]{8}_[\w-]+/g;
const UUID_OR_DIGITS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{8,}/gi;

/** Masks a text for the log: API keys completely, and all but the last 4 of 8 or more digits outside of UUIDs. */
export function withoutPrivateText(text: string): string {
  return text
    .replace(KEY, 'mta_****')
    .replace(UUID_OR_DIGITS, (found) => (found.includes('-') ? found : maskPhone(found)));
}

/** Masks a request target for the log: phones in the path and all query values, which may be personal. */
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
