import type { FieldError } from '../../../kernel/domain-error';
import type { FieldCode } from '../../../kernel/field-problems';
import type { PhoneNumber, SearchedNumber } from '../../../kernel/phone-number';
import type { Person } from './opt-out';
import { printable, problemOfText } from './plain-text';

/** Maximum length of a contact name, in characters. */
export const CONTACT_NAME_LENGTH = 128;
/** Maximum length of a placeholder value, in characters. */
export const PARAMETER_LENGTH = 1024;
/** Maximum length of a user id, in characters. */
export const USER_ID_LENGTH = 150;
/** A user id of the platform: country, dot, letters and digits. */
export const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9]{1,147}$/;
/** The most consecutive spaces that the platform accepts in a value. */
const SPACES_IN_A_ROW = 4;

/** Values of template placeholders by number: "1", "2", … */
export type ContactParameters = Readonly<Record<string, string>>;

/** A person that an account can write to. */
export interface Contact {
  id: string;
  accountId: string;
  /** As first given; all its forms are unique within the account. Null if only `userId` is known. */
  phone: PhoneNumber | null;
  /** The platform's id of the person for this business (`US.1349…`), unique within the account; null if unknown. */
  userId: string | null;
  name: string | null;
  /** The public name that the person last chose on the platform (`@mira.s`); null: unknown. Only the platform tells it. */
  username: string | null;
  parameters: ContactParameters;
  /** When the number opted out; null if it has not. */
  optedOutAt: Date | null;
  /** Groups of the contact, by name. */
  groups: readonly { id: string; name: string }[];
}

/** A validated contact with a phone or a user id; null: not given, so the stored value stays. */
export interface ContactDraft {
  phone: PhoneNumber | null;
  userId: string | null;
  name: string | null;
  parameters: ContactParameters | null;
}

/** Changes of a contact: absent fields keep their values, null removes a value, parameters are replaced as a whole. */
export interface ContactPatch {
  phone?: PhoneNumber;
  userId?: string | null;
  name?: string | null;
  parameters?: ContactParameters;
}

/** A text that is searched for, and what it means as a phone number. */
export interface ContactSearch {
  text: string;
  number: SearchedNumber;
}

/**
 * Matches contacts whose name or username contains the text, ignoring case, or whose number begins with its
 * digits. Not in SQL, since databases differ in how they fold case.
 */
export function searchFor({
  text,
  number,
}: ContactSearch): (contact: Pick<Contact, 'name' | 'phone' | 'username'>) => boolean {
  const part = text.toLowerCase();
  return ({ name, phone, username }) => {
    if ([name, username].some((one) => one?.toLowerCase().includes(part))) return true;
    return phone !== null && number.beginnings.some((digits) => phone.startsWith(digits));
  };
}

/** A person as reported by the platform. */
export interface NamedPerson extends Person {
  name: string | null;
  username: string | null;
}

/** Cleans a reported person for storage: each name on one line, the user id only if it is valid. */
export function storablePerson({ phone, userId, name, username }: NamedPerson): NamedPerson {
  return {
    phone,
    userId: userId !== null && problemOfText(userId, USER_ID_LENGTH) === null ? userId : null,
    name: onOneLine(name),
    username: onOneLine(username),
  };
}

function onOneLine(name: string | null): string | null {
  const text = [...printable(name ?? '').trim()].slice(0, CONTACT_NAME_LENGTH).join('').trim();
  return text === '' ? null : text;
}

/** The digits of a phone number in any notation; null if the text is not a phone number. */
export type PhoneReader = (text: string) => PhoneNumber | null;

/** Codes of the errors of one contact. */
export const CONTACT_CODES = [
  'contact_invalid',
  'phone_missing',
  'phone_invalid',
  'user_id_invalid',
  'user_id_taken',
  'name_invalid',
  'parameters_invalid',
  'parameter_key_invalid',
  'parameter_invalid',
  'unknown_field',
] as const satisfies readonly FieldCode[];

/** The error of one field of a contact. */
export type ContactFieldError = FieldError<(typeof CONTACT_CODES)[number]>;

/** A contact, or its errors in field order. */
export type ContactReading = { draft: ContactDraft } | { errors: [ContactFieldError, ...ContactFieldError[]] };

const FIELDS = ['phone', 'userId', 'name', 'parameters'];

/**
 * Validates one contact. Accepts any value, so that an invalid entry of a list is reported as
 * such; null is treated as absent.
 */
export function readContact(given: unknown, readPhone: PhoneReader): ContactReading {
  if (!isRecord(given)) {
    return {
      errors: [
        { field: '', code: 'contact_invalid', message: 'A contact must be an object with a phone or a userId.' },
      ],
    };
  }
  const name = given.name ?? null;
  const parameters = given.parameters ?? null;
  const userId = given.userId ?? null;
  const phone = typeof given.phone === 'string' ? readPhone(given.phone) : null;
  const knownByUserId = userId !== null && (given.phone ?? null) === null;
  const [first, ...others] = [
    phone === null && !knownByUserId ? phoneError(given.phone) : null,
    userId === null ? null : errorOfUserId(userId),
    name === null ? null : error('name', 'name_invalid', problemOfText(name, CONTACT_NAME_LENGTH)),
    parameters === null ? null : errorOfParameters(parameters),
    ...Object.keys(given)
      .filter((field) => !FIELDS.includes(field))
      .map((field) =>
        error(field, 'unknown_field', 'is not a field of a contact; use phone, userId, name and parameters'),
      ),
  ].filter((found) => found !== null);
  if (first) return { errors: [first, ...others] };
  return {
    draft: {
      phone,
      userId: userId as string | null,
      name: name === null ? null : (name as string).trim(),
      parameters: parameters as ContactParameters | null,
    },
  };
}

/** The error of an invalid phone number. */
export function phoneError(given: unknown): ContactFieldError {
  if (given === undefined || given === null || given === '') {
    return { field: 'phone', code: 'phone_missing', message: 'phone is required unless userId is given.' };
  }
  const message =
    typeof given === 'string'
      ? 'phone must be a phone number in international format, 8 to 15 digits with country code, such as 4915112345678. ' +
        'National numbers are accepted if the account has a defaultCountry.'
      : 'phone must be a string: write the number in quotes, such as "4915112345678".';
  return { field: 'phone', code: 'phone_invalid', message };
}

/** The error of an invalid user id, or null. */
function errorOfUserId(userId: unknown): ContactFieldError | null {
  if (typeof userId === 'string' && USER_ID.test(userId)) return null;
  return error('userId', 'user_id_invalid', 'must be a user id of the platform, such as US.13491208655302741918');
}

/** The error of a user id that belongs to another contact. */
export function userIdTaken(): ContactFieldError {
  return {
    field: 'userId',
    code: 'user_id_taken',
    message: 'Another contact has this userId. Change that contact instead.',
  };
}

/** The first error of a contact's parameters, or null: keys "1" to "999", values that the platform accepts. */
export function errorOfParameters(parameters: unknown): ContactFieldError | null {
  if (!isRecord(parameters)) {
    return error('parameters', 'parameters_invalid', 'must be an object such as {"1": "Anna"}');
  }
  for (const [key, value] of Object.entries(parameters)) {
    if (!/^[1-9]\d{0,2}$/.test(key)) {
      return error('parameters', 'parameter_key_invalid', 'may only have the keys "1", "2", … up to "999"');
    }
    const problem = problemOfText(value, PARAMETER_LENGTH) ?? problemOfSpaces(value as string);
    if (problem) return error(`parameters.${key}`, 'parameter_invalid', problem);
  }
  return null;
}

function problemOfSpaces(value: string): string | null {
  return value.includes(' '.repeat(SPACES_IN_A_ROW + 1))
    ? `must not contain more than ${SPACES_IN_A_ROW} consecutive spaces`
    : null;
}

function error(field: string, code: ContactFieldError['code'], problem: string | null): ContactFieldError | null {
  return problem === null ? null : { field, code, message: `${field} ${problem}.` };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
