import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsString, ValidateBy, type ValidationArguments, type ValidationOptions } from 'class-validator';
import { readPhone } from '../../../../libs/phone-numbers/phone-numbers';

const NOT_A_STRING = '$property must be a string: write the number in quotes, such as "4915112345678".';
const DIGITS = /^[1-9]\d{7,14}$/;

/**
 * A recipient's phone number in international format: 8 to 15 digits, no `+`, with a valid length for its country. The field has the
 * canonical number.
 */
export function IsRecipientPhone(options?: ValidationOptions): PropertyDecorator {
  const isPhone = ValidateBy(
    {
      name: 'matches',
      validator: { validate: (value: unknown) => readDigits(value) !== undefined, defaultMessage: messageOf },
    },
    options,
  );
  const canonical = Transform(({ value }: { value: unknown }) => readDigits(value) ?? value);
  return applyDecorators(IsString({ ...options, message: NOT_A_STRING }), isPhone, canonical);
}

function readDigits(value: unknown): string | undefined {
  return typeof value === 'string' && DIGITS.test(value) ? readPhone(value) : undefined;
}

function messageOf(given?: ValidationArguments): string {
  const value: unknown = given?.value;
  if (typeof value === 'string' && /^0(?!0)/.test(value.trim())) {
    return (
      '$property looks like a national number: write it with the country code and without the leading 0, digits ' +
      'only, such as 4915112345678. National numbers are accepted only in uploaded files and contacts, if the account ' +
      'has a defaultCountry.'
    );
  }
  return '$property must be a phone number in international format, digits only: country code and number without + or spaces, such as 4915112345678.';
}
