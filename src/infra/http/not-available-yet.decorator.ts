import { buildMessage, ValidateBy } from 'class-validator';

/** A field that clients may know from the plans for it, but that does nothing yet: it is refused, not passed over. */
export function NotAvailableYet(remedy: string): PropertyDecorator {
  return ValidateBy({
    name: 'notAvailableYet',
    validator: {
      validate: (value: unknown) => value === undefined,
      defaultMessage: buildMessage((prefix) => `${prefix}$property is not available yet. ${remedy}`),
    },
  });
}
