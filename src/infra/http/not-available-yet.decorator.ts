import { buildMessage, ValidateBy } from 'class-validator';

/** A planned field that does nothing yet: it is refused, not ignored. */
export function NotAvailableYet(remedy: string): PropertyDecorator {
  return ValidateBy({
    name: 'notAvailableYet',
    validator: {
      validate: (value: unknown) => value === undefined,
      defaultMessage: buildMessage((prefix) => `${prefix}$property is not available yet. ${remedy}`),
    },
  });
}
