import { buildMessage, ValidateBy } from 'class-validator';

/** Name of the check. */
export const NOT_AVAILABLE_YET = 'notAvailableYet';

/** A planned field that does nothing yet: it is refused, not ignored. */
export function NotAvailableYet(remedy: string): PropertyDecorator {
  return ValidateBy({
    name: NOT_AVAILABLE_YET,
    validator: {
      validate: (value: unknown) => value === undefined,
      defaultMessage: buildMessage((prefix) => `${prefix}$property is not available yet. ${remedy}`),
    },
  });
}
