import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { decodeCursor } from '../../../kernel/time-cursor';

/** An optional `nextCursor` of a list ordered by time. */
export function IsTimeCursor(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: '`nextCursor` of the previous response; absent: the first page.',
      example: 'MjAyNi0wMS0xNVQwOTozMDowMC4wMDAwMDBaIDAxOTlkMWI1LTdjMWUtN2E0MC04ZjNiLTJmNGY1ZDBjOWExMQ',
    }),
    IsOptional(),
    ValidateBy({
      name: 'matches',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && decodeCursor(value) !== null,
        defaultMessage: () => '$property must be a nextCursor of this list',
      },
    }),
  );
}
