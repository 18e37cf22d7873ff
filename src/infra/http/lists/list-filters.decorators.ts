import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import { readPhoneText } from '../../../../libs/phone-numbers/phone-text';
import { IsInstant } from '../validation/instant.decorator';
import { MESSAGE_CODES } from '../errors/message-codes';
import { IsUserId } from '../validation/person-fields.decorators';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };
const REFERENCE_LENGTH = 255;
const PHONE_LENGTH = 64;
/** Shorter numbers exist in no country. */
const MIN_DIGITS = 5;

/** A filter by a complete phone number, in any notation. `whose`: for example "messages to this person". */
export function PhoneFilter(whose: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description:
        `Only ${whose}: the number in any format, with or without \`+\`, \`00\`, spaces and punctuation; without country code if the ` +
        'account has a `defaultCountry`.',
      maxLength: PHONE_LENGTH,
      example: '4915123456789',
    }),
    IsOptional(),
    ValidateBy({
      name: 'matches',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && isPhoneLike(value),
        defaultMessage: () =>
          '$property must be a phone number, such as 4915123456789: with its country code, or of the defaultCountry of the account',
      },
    }),
  );
}

/** Whether the text can be a number, in some country. */
function isPhoneLike(text: string): boolean {
  const read = text.length > PHONE_LENGTH ? 'phone_invalid' : readPhoneText(text);
  return typeof read !== 'string' && read.digits.length >= MIN_DIGITS;
}

/** A filter by the platform's user id. `whose`: for example "messages to this person". */
export function UserIdFilter(whose: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: `Only ${whose}, the platform's id of a person for your business.`,
      example: 'US.13491208655302741918',
    }),
    IsOptional(),
    IsUserId(),
  );
}

/** A filter by the client's own reference. `whose`: for example "jobs". */
export function ReferenceFilter(whose: string, example: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: `Only ${whose} with exactly this \`reference\`.`,
      maxLength: REFERENCE_LENGTH,
      example,
    }),
    IsOptional(),
    IsString(),
    IsNotEmpty(),
    MaxLength(REFERENCE_LENGTH),
  );
}

/** A filter by error codes of failed messages, one or several. `whose`: for example "recipients with this error code". */
export function ErrorCodesFilter(whose: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: String,
      description: `Only ${whose}, or with one of several, separated by commas.`,
      example: 'recipient_unreachable',
    }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.split(',') : value)),
    IsIn(MESSAGE_CODES, { each: true }),
  );
}

/** A filter by error code of failed messages. `whose`: for example "messages with this `error.code`". */
export function ErrorCodeFilter(whose: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: `Only ${whose}.`,
      enum: [...MESSAGE_CODES],
      example: 'recipient_unreachable',
    }),
    IsOptional(),
    IsIn(MESSAGE_CODES),
  );
}

/** A bound on the creation time, ISO 8601. */
export function TimeFilter(description: string, options: { deprecated?: true } = {}): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ ...TIME, description, ...options }), IsOptional(), IsInstant());
}
