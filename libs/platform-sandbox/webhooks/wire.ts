import { createHmac } from 'node:crypto';

const INTEGER_MARK = '\u0001int:';
const MARKED_INTEGER = /"\\u0001int:(-?\d+)"/g;
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
const NEEDS_ESCAPE = /[/\u0080-\uffff]/g;

/** Marks an integer of any length to be written as a JSON number in a webhook. */
export function wireInteger(digits: string): string {
  return INTEGER_MARK + digits;
}

/** Parses JSON so that integers of 16 or more digits keep all digits in a webhook. */
export function parseKeepingIntegers(text: string): unknown {
  return JSON.parse(
    text.replace(STRING_OR_LONG_INTEGER, (token) =>
      token.startsWith('"') ? token : JSON.stringify(wireInteger(token)),
    ),
  );
}

/** JSON as the platform sends it: ASCII only, other characters as lowercase \uXXXX, slashes escaped. */
export function webhookBody(value: unknown): string {
  return JSON.stringify(value)
    .replace(MARKED_INTEGER, '$1')
    .replace(NEEDS_ESCAPE, (letter) =>
      letter === '/' ? '\\/' : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
}

/** The X-Hub-Signature-256 header value of a body. */
export function signatureOf(body: string, appSecret: string): string {
  return `sha256=${createHmac('sha256', appSecret).update(body).digest('hex')}`;
}

/** The envelope around one change of a business account; account-level fields carry the time. */
export function envelope(businessAccountId: string, field: string, value: unknown): object {
  const time = field === 'messages' || field === 'user_preferences' ? {} : { time: Math.floor(Date.now() / 1000) };
  return {
    object: 'whatsapp_business_account',
    entry: [{ id: businessAccountId, ...time, changes: [{ value, field }] }],
  };
}
