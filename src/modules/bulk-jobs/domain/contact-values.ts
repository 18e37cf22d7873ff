import { InvalidValuesError, ParameterMismatchError } from '../../templates/domain/templates.errors';
import { faultOfValue } from '../../templates/domain/value-fault';

/** Values by placeholder number: "1", "2", … */
export type ValuesByNumber = Readonly<Record<string, string>>;

/** Throws InvalidValuesError for a default that cannot be sent, ParameterMismatchError for one beyond the template's values. */
export function checkDefaults(defaults: ValuesByNumber, valueCount: number): void {
  const faults = Object.entries(defaults).flatMap(([number, value]) => {
    const fault = faultOfValue(value);
    const field = `parameterDefaults.${number}`;
    return fault ? [{ field, code: fault.code, message: `${field} ${fault.message}` }] : [];
  });
  if (faults.length > 0) throw new InvalidValuesError(faults);
  const highest = Math.max(0, ...Object.keys(defaults).map(Number));
  if (highest > valueCount) {
    throw new ParameterMismatchError(valueCount, highest, `Leave "${highest}" out of parameterDefaults.`);
  }
}

/** The contact's own value for each placeholder, else the default, else nothing. */
export function valuesOfContact(own: ValuesByNumber, defaults: ValuesByNumber, valueCount: number): (string | null)[] {
  return Array.from({ length: valueCount }, (_, index) => {
    const number = String(index + 1);
    return own[number] ?? defaults[number] ?? null;
  });
}
