import type { FieldError } from '../../../kernel/domain-error';
import type { FieldCode } from '../../../kernel/field-problems';
import { NameSearch } from '../../../kernel/name-search';
import { endingOf, type PhoneNumber, type SearchedNumber } from '../../../kernel/phone-number';
import { isUserId, USER_ID_LENGTH } from '../../../kernel/user-id';
import type { Person } from './opt-out';
import { printable, problemOfText } from './plain-text';

/** Maximum length of a contact name, in characters. */
export const CONTACT_NAME_LENGTH = 128;
/** Maximum length of a placeholder value, in characters. */
export const PARAMETER_LENGTH = 1024;
/** Maximum number of consecutive spaces that the platform accepts in a value. */
const MAX_CONSECUTIVE_SPACES = 4;

/** Values of template placeholders by number: "1", "2", … */
export type ContactParameters = Readonly<Record<string, string>>;

/** Maximum number of attributes of a contact. */
export const MAX_ATTRIBUTES = 50;
/** Maximum length of the name of an attribute, in characters. */
export const ATTRIBUTE_NAME_LENGTH = 60;

/** What is known of a person, by name: the columns of imported files under their headers. */
export type ContactAttributes = Readonly<Record<string, string>>;

/** A person that an account can write to. */
export interface Contact {
  id: string;
  accountId: string;
  /** As first given; all its forms are unique within the account. Null if only `userId` is known. */
  phone: PhoneNumber | null;
  /** The platform's id of the person for this business (`US.1349…`), unique within the account; null if unknown. */
  userId: string | null;
  name: string | null;
  /** The person's latest public name on the platform (`@mira.s`), set only from the platform's reports; null: unknown. */
  username: string | null;
  parameters: ContactParameters;
  attributes: ContactAttributes;
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
  /** Added to the stored ones; null removes one. */
  attributes: Readonly<Record<string, string | null>> | null;
}

/** Changes of a contact: absent fields keep their values, null removes a value, parameters and attributes are replaced as a whole. */
export interface ContactPatch {
  phone?: PhoneNumber;
  userId?: string | null;
  name?: string | null;
  parameters?: ContactParameters;
  attributes?: ContactAttributes;
}

/** A search text, and its interpretation as a phone number. */
export interface ContactSearch {
  text: string;
  number: SearchedNumber;
}

/**
 * Matches contacts whose names contain the words of the text, as NameSearch finds them, or whose number begins with its
 * digits or ends with at least 4. Not in SQL, because databases fold case differently.
 */
export function contactMatcher({
  text,
  number,
}: ContactSearch): (contact: Pick<Contact, 'name' | 'phone' | 'username'>) => boolean {
  const searched = new NameSearch(text);
  const ending = endingOf(text);
  return ({ name, phone, username }) => {
    if (searched.matches([name, username])) return true;
    if (phone === null) return false;
    return (ending !== null && phone.endsWith(ending)) || number.beginnings.some((digits) => phone.startsWith(digits));
  };
}

/** A person as reported by the platform. */
export interface NamedPerson extends Person {
  name: string | null;
  username: string | null;
}

/** Cleans a reported person for storage: each name on one line, the user id only if it is valid. */
export function cleanPerson({ phone, userId, name, username }: NamedPerson): NamedPerson {
  return {
    phone,
    userId: userId !== null && problemOfText(userId, USER_ID_LENGTH) === null ? userId : null,
    name: singleLine(name),
    username: singleLine(username),
  };
}

function singleLine(name: string | null): string | null {
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
  'attributes_invalid',
  'attribute_name_invalid',
  'attribute_invalid',
  'too_many_attributes',
  'unknown_field',
] as const satisfies readonly FieldCode[];

/** The error of one field of a contact. */
export type ContactFieldError = FieldError<(typeof CONTACT_CODES)[number]>;

/** A contact, or its errors in field order. */
export type ContactReading = { draft: ContactDraft } | { errors: [ContactFieldError, ...ContactFieldError[]] };

const FIELDS = ['phone', 'userId', 'name', 'parameters', 'attributes'];

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
  const attributes = given.attributes ?? null;
  const userId = given.userId ?? null;
  const phone = typeof given.phone === 'string' ? readPhone(given.phone) : null;
  const knownByUserId = userId !== null && (given.phone ?? null) === null;
  const [first, ...others] = [
    phone === null && !knownByUserId ? phoneError(given.phone) : null,
    userId === null ? null : userIdError(userId),
    name === null ? null : error('name', 'name_invalid', problemOfText(name, CONTACT_NAME_LENGTH)),
    parameters === null ? null : parametersError(parameters),
    attributes === null ? null : attributesError(attributes),
    ...Object.keys(given)
      .filter((field) => !FIELDS.includes(field))
      .map((field) =>
        error(
          field,
          'unknown_field',
          'is not a field of a contact; use phone, userId, name, parameters and attributes',
        ),
      ),
  ].filter((found) => found !== null);
  if (first) return { errors: [first, ...others] };
  return {
    draft: {
      phone,
      userId: userId as string | null,
      name: name === null ? null : (name as string).trim(),
      parameters: parameters as ContactParameters | null,
      attributes: attributes as ContactAttributes | null,
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
function userIdError(userId: unknown): ContactFieldError | null {
  if (typeof userId === 'string' && isUserId(userId)) return null;
  return error('userId', 'user_id_invalid', 'must be a user id of the platform, such as US.13491208655302741918');
}

/** The error of a user id that belongs to another contact. */
export function userIdTakenError(): ContactFieldError & { code: 'user_id_taken' } {
  return {
    field: 'userId',
    code: 'user_id_taken',
    message: 'Another contact has this userId. Change that contact instead.',
  };
}

/** The first error of a contact's parameters, or null: keys "1" to "999", values that the platform accepts. */
export function parametersError(parameters: unknown): ContactFieldError | null {
  if (!isRecord(parameters)) {
    return error('parameters', 'parameters_invalid', 'must be an object such as {"1": "Anna"}');
  }
  for (const [key, value] of Object.entries(parameters)) {
    if (!/^[1-9]\d{0,2}$/.test(key)) {
      return error('parameters', 'parameter_key_invalid', 'may only have the keys "1", "2", … up to "999"');
    }
    const problem = problemOfValue(value);
    if (problem) return error(`parameters.${key}`, 'parameter_invalid', problem);
  }
  return null;
}

/** The first error of a contact's attributes, or null: at most 50 names of one line, values that the platform accepts. */
export function attributesError(attributes: unknown): ContactFieldError | null {
  if (!isRecord(attributes)) {
    return error('attributes', 'attributes_invalid', 'must be an object such as {"City": "Berlin"}');
  }
  const entries = Object.entries(attributes);
  if (entries.length > MAX_ATTRIBUTES) {
    return error('attributes', 'too_many_attributes', `must have at most ${MAX_ATTRIBUTES} entries`);
  }
  for (const [name, value] of entries) {
    if (!isAttributeName(name)) {
      const rule = `may only have names of 1 to ${ATTRIBUTE_NAME_LENGTH} characters in one line, without spaces around them`;
      return error('attributes', 'attribute_name_invalid', rule);
    }
    const problem = problemOfValue(value);
    if (problem) return error(`attributes.${name}`, 'attribute_invalid', problem);
  }
  return null;
}

/** Whether a text can be the name of an attribute. */
export function isAttributeName(name: unknown): name is string {
  return problemOfText(name, ATTRIBUTE_NAME_LENGTH) === null && (name as string).trim() === name;
}

/** Why the platform would not accept a value, or null. */
function problemOfValue(value: unknown): string | null {
  const problem = problemOfText(value, PARAMETER_LENGTH);
  if (problem !== null) return problem;
  return (value as string).includes(' '.repeat(MAX_CONSECUTIVE_SPACES + 1))
    ? `must not contain more than ${MAX_CONSECUTIVE_SPACES} consecutive spaces`
    : null;
}

function error(field: string, code: ContactFieldError['code'], problem: string | null): ContactFieldError | null {
  return problem === null ? null : { field, code, message: `${field} ${problem}.` };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
