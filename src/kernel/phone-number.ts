/** A phone number in international format: 8 to 15 digits without `+` (E.164). */
export type PhoneNumber = string;

/** Two forms of the same numbers: as the platform may write them, and as they are dialled. */
interface Spelling {
  written: RegExp;
  /** What `written` becomes, as a replacement of String.replace. */
  key: string;
  dialled: RegExp;
  other: string;
}

const SPELLINGS: readonly Spelling[] = [
  // Brazilian mobile numbers without their ninth digit
  { written: /^55([1-9]\d)([6-9]\d{7})$/, key: '55$19$2', dialled: /^55([1-9]\d)9([6-9]\d{7})$/, other: '55$1$2' },
  // Mexican numbers with a 1 after the country code
  { written: /^521(\d{10})$/, key: '52$1', dialled: /^52(\d{10})$/, other: '521$1' },
  // Argentine numbers with a 9 after the country code
  { written: /^549(\d{10})$/, key: '54$1', dialled: /^54(\d{10})$/, other: '549$1' },
];

/** The spellings of `phoneKey` as plain data, for a reader of files in a thread of its own: regular expression and replacement. */
export const KEY_SPELLINGS = SPELLINGS.map(({ written, key }) => ({ written: written.source, key }));

/** The number for logs: only its last four digits. */
export function maskPhone(phone: string): string {
  return phone.length <= 4 ? '****' : `****${phone.slice(-4)}`;
}

/**
 * A key that is equal for all forms of one number: the platform reports some numbers in another form than they are
 * dialled. Compare keys, but send to the original number.
 */
export function phoneKey(phone: PhoneNumber): string {
  const spelling = SPELLINGS.find(({ written }) => written.test(phone));
  return spelling === undefined ? phone : phone.replace(spelling.written, spelling.key);
}

/** All forms of the number, its key first. */
export function phoneForms(phone: PhoneNumber): PhoneNumber[] {
  const key = phoneKey(phone);
  const spelling = SPELLINGS.find(({ dialled }) => dialled.test(key));
  return spelling === undefined ? [key] : [key, key.replace(spelling.dialled, spelling.other)];
}
