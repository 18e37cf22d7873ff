import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString, Matches, MaxLength } from 'class-validator';
import { PRINTABLE } from '../domain/plain-text';

/** A single-line text of 1 to `maxLength` characters; surrounding spaces are trimmed. */
export function PlainText(maxLength: number): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value)),
    IsString(),
    IsNotEmpty(),
    MaxLength(maxLength),
    Matches(PRINTABLE, { message: '$property must not contain line breaks, tabs or other control characters' }),
  );
}
