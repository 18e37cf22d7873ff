import { applyDecorators } from '@nestjs/common';
import { IsString, ValidateBy, type ValidationArguments, type ValidationOptions } from 'class-validator';
import { isPossiblePhoneNumber } from 'libphonenumber-js/max';
import { phoneKey } from '../../kernel/phone-number';

const NOT_A_STRING = '$property must be a string: write the number in quotes, such as "4915112345678".';
const DIGITS = /^[1-9]\d{7,14}$/;

/** A recipient's phone number in international format: 8 to 15 digits, no `+`, of a length that its country has. */
export function IsRecipientPhone(options?: ValidationOptions): PropertyDecorator {
  const isPhone = ValidateBy(
    {
      name: 'matches',
      validator: {
        validate: (value: unknown) =>
          // The platform itself writes some numbers in a form that is never dialled.
          typeof value === 'string' && DIGITS.test(value) && [value, phoneKey(value)].some(isPossible),
        defaultMessage: messageOf,
      },
    },
    options,
  );
  return applyDecorators(IsString({ ...options, message: NOT_A_STRING }), isPhone);
}

function isPossible(digits: string): boolean {
  return isPossiblePhoneNumber(`+${digits}`);
}

function messageOf(given?: ValidationArguments): string {
  const value: unknown = given?.value;
  if (typeof value === 'string' && /^0(?!0)/.test(value.trim())) {
    return '$property looks like a national number: write it with the country code and without the leading 0, digits only, such as 4915112345678. Only uploaded files and contacts may have national numbers, of the defaultCountry of the account.';
  }
  return '$property must be a phone number in international format, digits only: country code and number without + or spaces, such as 4915112345678.';
}
