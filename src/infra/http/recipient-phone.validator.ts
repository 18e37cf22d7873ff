import { buildMessage, ValidateBy, type ValidationOptions } from 'class-validator';
import { isPossiblePhoneNumber } from 'libphonenumber-js/max';

const DIGITS = /^[1-9]\d{7,14}$/;

/** A recipient's phone number in international format: 8 to 15 digits, no `+`, of a length that its country has. */
export function IsRecipientPhone(options?: ValidationOptions): PropertyDecorator {
  return ValidateBy(
    {
      name: 'matches',
      validator: {
        validate: (value: unknown) =>
          typeof value === 'string' && DIGITS.test(value) && isPossiblePhoneNumber(`+${value}`),
        defaultMessage: buildMessage(
          (prefix) =>
            `${prefix}$property must be a phone number in international format, digits only: country code and number without + or spaces, such as 4915112345678.`,
          options,
        ),
      },
    },
    options,
  );
}
