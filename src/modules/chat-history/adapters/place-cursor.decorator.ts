import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { placeOf } from '../domain/place';

/** The `nextCursor` of a list that goes by time. */
export function PlaceCursor(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      description: '`nextCursor` of the answer before; absent: from the start.',
      example: 'MjAyNi0wMS0xNVQwOTozMDowMC4wMDAwMDBaIDAxOTlkMWI1LTdjMWUtN2E0MC04ZjNiLTJmNGY1ZDBjOWExMQ',
    }),
    IsOptional(),
    ValidateBy({
      name: 'matches',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && placeOf(value) !== null,
        defaultMessage: () => '$property must be a nextCursor of this list',
      },
    }),
  );
}
