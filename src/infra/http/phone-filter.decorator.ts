import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsOptional, Matches } from 'class-validator';

/** A filter by a whole phone number; the field holds its digits, with country code. `whose`: as in "messages to this person". */
export function PhoneFilter(whose: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: `Only ${whose}: the number with its country code, in any of its forms, with or without \`+\`, \`00\`, spaces and punctuation.`,
      example: '4915123456789',
    }),
    IsOptional(),
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? bareDigits(value) : value)),
    Matches(/^[1-9]\d{7,14}$/, {
      message: '$property must be a phone number with its country code, 8 to 15 digits, such as 4915123456789',
    }),
  );
}

/** An unencoded `+` arrives as a space. */
function bareDigits(phone: string): string {
  return phone.replace(/[\s()./-]/g, '').replace(/^(\+|00)/, '');
}
