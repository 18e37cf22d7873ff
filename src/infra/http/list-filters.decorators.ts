import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsIn, IsNotEmpty, IsOptional, IsString, Matches, MaxLength } from 'class-validator';
import { readPhone } from '../../../libs/phone-numbers/phone-numbers';
import { IsInstant } from './instant.decorator';
import { MESSAGE_CODES } from './message-codes';

const TIME = { type: String, format: 'date-time', example: '2026-01-15T09:30:00.000Z' };
const REFERENCE_LENGTH = 255;

/** A filter by a whole phone number; the field holds the canonical number. `whose`: as in "messages to this person". */
export function PhoneFilter(whose: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description:
        `Only ${whose}: the number with country code, in any format, with or without \`+\`, \`00\`, spaces ` +
        `and punctuation.`,
      example: '4915123456789',
    }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (readPhone(value) ?? '') : value)),
    Matches(/^\d+$/, {
      message: '$property must be a phone number with its country code, 8 to 15 digits, such as 4915123456789',
    }),
  );
}

/** A filter by the client's own reference. `whose`: as in "jobs". */
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

/** A filter by a code of failed messages. `whose`: as in "recipients with this error code". */
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

/** A bound on the time of creation, ISO 8601. */
export function TimeFilter(description: string, options: { deprecated?: true } = {}): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ ...TIME, description, ...options }), IsOptional(), IsInstant());
}
