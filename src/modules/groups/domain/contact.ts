import type { FieldFault } from '../../../kernel/domain-error';
import { phoneKey, type PhoneNumber } from '../../../kernel/phone-number';
import type { Person } from './opt-out';
import { printable, problemOfText } from './plain-text';

/** Longest name of a contact, in characters. */
export const CONTACT_NAME_LENGTH = 128;
/** Longest value of one template placeholder, in characters. */
export const PARAMETER_LENGTH = 1024;
/** Longest user id of the platform, in characters. */
export const USER_ID_LENGTH = 150;
/** A user id as the platform gives it: country, point, letters and digits. */
export const USER_ID = /^[A-Z]{2}\.[A-Za-z0-9]{1,147}$/;
/** Most spaces in a row that the platform takes in a value. */
const SPACES_IN_A_ROW = 4;

/** Values for template placeholders by their number: "1", "2", … */
export type ContactParameters = Readonly<Record<string, string>>;

/** A person that an account can write to. */
export interface Contact {
  id: string;
  accountId: string;
  /** As it was first given, and in any of its forms unique within the account; null where only `userId` is known. */
  phone: PhoneNumber | null;
  /** The platform's id of the person for this business (`US.1349…`), unique within the account; null where none is known. */
  userId: string | null;
  name: string | null;
  parameters: ContactParameters;
  /** Since when the number wants no messages; null where it may be written to. */
  optedOutAt: Date | null;
  /** Groups that the contact is in, by name. */
  groups: readonly { id: string; name: string }[];
}

/** A contact as a client gives it, checked, with a phone or a user id; null says that nothing was given and what is stored stays. */
export interface ContactDraft {
  phone: PhoneNumber | null;
  userId: string | null;
  name: string | null;
  parameters: ContactParameters | null;
}

/** What a change of a contact sets: an absent field stays, a null name is taken away, parameters are replaced whole. */
export interface ContactPatch {
  phone?: PhoneNumber;
  userId?: string | null;
  name?: string | null;
  parameters?: ContactParameters;
}

/**
 * Whether a contact is one that `text` looks for: its name contains it, whatever the case, or its number, in the form given
 * or that of its key, begins with its digits. Decided here, since databases differ in what they take for the same letter.
 */
export function searchFor(text: string): (contact: Pick<Contact, 'name' | 'phone'>) => boolean {
  const part = text.toLowerCase();
  const digits = /^[+(]?[\d\s()./-]*\d[\d\s()./-]*$/.test(text) ? text.replace(/\D/g, '') : null;
  return ({ name, phone }) => {
    if (name?.toLowerCase().includes(part)) return true;
    return digits !== null && phone !== null && (phone.startsWith(digits) || phoneKey(phone).startsWith(digits));
  };
}

/** A person as the platform tells of them. */
export interface NamedPerson extends Person {
  name: string | null;
}

/** What the platform tells of a person as far as it can be stored: a name of one line, a user id that is one. */
export function storablePerson({ phone, userId, name }: NamedPerson): NamedPerson {
  const text = [...printable(name ?? '').trim()].slice(0, CONTACT_NAME_LENGTH).join('').trim();
  return {
    phone,
    userId: userId !== null && problemOfText(userId, USER_ID_LENGTH) === null ? userId : null,
    name: text === '' ? null : text,
  };
}

/** The digits of a phone number as a person writes it, or null where the text is none. */
export type PhoneReader = (text: string) => PhoneNumber | null;

/** A contact, or what is wrong with it in field order. */
export type ContactReading = { draft: ContactDraft } | { faults: [FieldFault, ...FieldFault[]] };

const FIELDS = ['phone', 'userId', 'name', 'parameters'];

/**
 * One contact as it came in, or its faults in field order. Takes anything, so that one bad entry of a list is told as
 * such; null counts as absent.
 */
export function readContact(given: unknown, readPhone: PhoneReader): ContactReading {
  if (!isRecord(given)) {
    return {
      faults: [
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
    phone === null && !knownByUserId ? phoneFault(given.phone) : null,
    userId === null ? null : faultOfUserId(userId),
    name === null ? null : fault('name', 'name_invalid', problemOfText(name, CONTACT_NAME_LENGTH)),
    parameters === null ? null : faultOfParameters(parameters),
    ...Object.keys(given)
      .filter((field) => !FIELDS.includes(field))
      .map((field) =>
        fault(field, 'unknown_field', 'is not a field of a contact; use phone, userId, name and parameters'),
      ),
  ].filter((found) => found !== null);
  if (first) return { faults: [first, ...others] };
  return {
    draft: {
      phone,
      userId: userId as string | null,
      name: name === null ? null : (name as string).trim(),
      parameters: parameters as ContactParameters | null,
    },
  };
}

/** The fault of a phone number that cannot be read. */
export function phoneFault(given: unknown): FieldFault {
  if (given === undefined || given === null || given === '') {
    return { field: 'phone', code: 'phone_missing', message: 'phone is required, unless there is a userId.' };
  }
  return {
    field: 'phone',
    code: 'phone_invalid',
    message:
      'phone must be a phone number in international format, 8 to 15 digits with the country code; numbers without it ' +
      'need a default country of the account.',
  };
}

/** The fault of a user id that the platform cannot have given, or null. */
export function faultOfUserId(userId: unknown): FieldFault | null {
  if (typeof userId === 'string' && USER_ID.test(userId)) return null;
  return fault(
    'userId',
    'user_id_invalid',
    'must be a user id as the platform gives it, such as US.13491208655302741918',
  );
}

/** The fault of a user id that another contact has. */
export function userIdTaken(): FieldFault {
  return {
    field: 'userId',
    code: 'user_id_taken',
    message: 'Another contact has this userId. Change that contact instead.',
  };
}

/** The first fault of a contact's parameters, or null: keys "1" to "999", values that the platform takes. */
export function faultOfParameters(parameters: unknown): FieldFault | null {
  if (!isRecord(parameters)) {
    return fault('parameters', 'parameters_invalid', 'must be an object such as {"1": "Anna"}');
  }
  for (const [key, value] of Object.entries(parameters)) {
    if (!/^[1-9]\d{0,2}$/.test(key)) {
      return fault('parameters', 'parameter_key_invalid', 'may only have the keys "1", "2", … up to "999"');
    }
    const problem = problemOfText(value, PARAMETER_LENGTH) ?? problemOfSpaces(value as string);
    if (problem) return fault(`parameters.${key}`, 'parameter_invalid', problem);
  }
  return null;
}

function problemOfSpaces(value: string): string | null {
  return value.includes(' '.repeat(SPACES_IN_A_ROW + 1))
    ? `must not contain more than ${SPACES_IN_A_ROW} spaces in a row`
    : null;
}

function fault(field: string, code: string, problem: string | null): FieldFault | null {
  return problem === null ? null : { field, code, message: `${field} ${problem}.` };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
