import { InvalidValuesError, ParameterMismatchError } from '../../templates/domain/templates.errors';
import { errorOfValue } from '../../templates/domain/value-error';

/** Values by placeholder number: "1", "2", … */
export type ValuesByNumber = Readonly<Record<string, string>>;

/** Throws InvalidValuesError for an invalid default, ParameterMismatchError for one that the template has no placeholder for. */
export function checkDefaults(defaults: ValuesByNumber, valueCount: number): void {
  const errors = Object.entries(defaults).flatMap(([number, value]) => {
    const error = errorOfValue(value);
    const field = `parameterDefaults.${number}`;
    return error ? [{ field, code: error.code, message: `${field} ${error.message}` }] : [];
  });
  if (errors.length > 0) throw new InvalidValuesError(errors);
  const beyond = Object.keys(defaults).filter((number) => Number(number) > valueCount);
  if (beyond.length > 0) {
    const advice = `Remove ${beyond.length === 1 ? `"${beyond[0]}"` : `all keys above "${valueCount}"`} from parameterDefaults.`;
    throw new ParameterMismatchError(valueCount, valueCount + beyond.length, advice);
  }
}

/** For each placeholder the value of the contact, otherwise the default, otherwise undefined. */
export function valuesOfContact(own: ValuesByNumber, defaults: ValuesByNumber, valueCount: number): (string | null)[] {
  return Array.from({ length: valueCount }, (_, index) => {
    const number = String(index + 1);
    return own[number] ?? defaults[number] ?? null;
  });
}
