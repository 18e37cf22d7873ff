import type { FieldError } from '../../../kernel/domain-error';
import type { GroupMember } from '../../groups/domain/contact-group';
import { InvalidValuesError, ParameterMismatchError } from '../../templates/domain/templates.errors';
import { errorOfValue } from '../../templates/domain/value-error';

/** Values by placeholder number: "1", "2", … */
export type ValuesByNumber = Readonly<Record<string, string>>;

/** Throws InvalidValuesError if one of the texts, by field, is invalid as a value. */
export function checkTexts(texts: readonly (readonly [field: string, text: string | null])[]): void {
  const errors = texts.flatMap(([field, text]) => {
    const error = text === null ? null : errorOfValue(text);
    return error ? [{ field, code: error.code, message: `${field} ${error.message}` }] : [];
  });
  if (errors.length > 0) throw new InvalidValuesError(errors);
}

/** Throws InvalidValuesError for an invalid default, ParameterMismatchError for a default without a placeholder. */
function checkDefaults(defaults: ValuesByNumber, valueCount: number): void {
  checkTexts(Object.entries(defaults).map(([number, text]) => [`parameterDefaults.${number}`, text]));
  const beyond = Object.keys(defaults).filter((number) => Number(number) > valueCount);
  if (beyond.length > 0) {
    const advice = `Remove ${beyond.length === 1 ? `"${beyond[0]}"` : `all keys above "${valueCount}"`} from parameterDefaults.`;
    throw new ParameterMismatchError(valueCount, valueCount + beyond.length, advice);
  }
}

/** The fields of a contact that can be a value. */
export const CONTACT_FIELDS = ['name'] as const;

/** Where the value of a placeholder comes from: an attribute or a field of the contact, else the default. */
export interface AttributeValue {
  attribute: string | null;
  contactField: (typeof CONTACT_FIELDS)[number] | null;
  default: string | null;
}

/** The values of a template for one contact, and why one is missing. */
export interface ContactValues {
  /** The attributes that it needs. */
  attributes: string[];
  /** In the order of the template; null: the contact has none, and there is no default. */
  of(contact: Pick<GroupMember, 'name' | 'parameters' | 'attributes'>): (string | null)[];
  /** The error of a contact without the value at `index`. */
  missing(index: number): string;
  /** What to do where no contact has the values at these indices, and the fields at fault. */
  remedy(indices: readonly number[]): { advice: string; errors: FieldError[] };
}

/**
 * Values from attributes; throws InvalidValuesError for an invalid default, ParameterMismatchError for a wrong number of values.
 * `titles`: those of the template's values.
 */
export function valuesByAttribute(values: readonly AttributeValue[], titles: readonly string[]): ContactValues {
  checkTexts(values.map(({ default: text }, index) => [`values[${index}].default`, text]));
  if (values.length !== titles.length) throw new ParameterMismatchError(titles.length, values.length);
  /** What a contact lacks at `index`, and how to correct it for all of them. */
  const lackAt = (index: number) => {
    const { attribute, contactField } = values[index]!;
    return contactField === null
      ? { field: 'attribute', lack: `attribute "${attribute ?? ''}"`, article: 'the ', remedy: 'correct its name' }
      : { field: 'contactField', lack: contactField, article: 'a ', remedy: `add the ${contactField}s` };
  };
  return {
    attributes: values.flatMap(({ attribute }) => attribute ?? []),
    of: (contact) =>
      values.map(({ attribute, contactField, default: text }) => {
        if (contactField !== null) return contact[contactField] ?? text;
        const { attributes } = contact;
        const own = attribute !== null && Object.hasOwn(attributes, attribute) ? attributes[attribute] : undefined;
        return own ?? text;
      }),
    missing: (index) => `The contact has no ${lackAt(index).lack}, and ${titles[index]} has no default.`,
    remedy: (indices) => {
      const errors = indices.map((index): FieldError => {
        const { field, lack, article, remedy } = lackAt(index);
        const message = `No contact of the groups has ${article}${lack}: ${remedy}, or provide a default for ${titles[index]}.`;
        return { field: `values[${index}].${field}`, code: 'parameter_missing', message };
      });
      return { advice: errors.map(({ message }) => message).join(' '), errors };
    },
  };
}

/** Values from parameters; throws as `checkDefaults` does. */
export function valuesByParameter(defaults: ValuesByNumber, valueCount: number): ContactValues {
  checkDefaults(defaults, valueCount);
  const numbers = Array.from({ length: valueCount }, (_, index) => String(index + 1));
  return {
    attributes: [],
    of: ({ parameters }) => numbers.map((number) => parameters[number] ?? defaults[number] ?? null),
    missing: (index) => `Neither the contact nor parameterDefaults has parameter ${index + 1}.`,
    remedy: (indices) => ({
      advice: `No contact of the group has parameter ${indices.map((index) => index + 1).join(', ')}: set it for the contacts, or provide a default in parameterDefaults.`,
      errors: [],
    }),
  };
}
