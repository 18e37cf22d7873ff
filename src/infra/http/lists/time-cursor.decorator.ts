import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateBy } from 'class-validator';
import { decodeCursor } from '../../../kernel/time-cursor';

const EXAMPLE = 'MjAyNi0wMS0xNVQwOTozMDowMC4wMDAwMDBaIDAxOTlkMWI1LTdjMWUtN2E0MC04ZjNiLTJmNGY1ZDBjOWExMQ';

/** An optional `nextCursor` of a list ordered by time. */
export function IsTimeCursor(): PropertyDecorator {
  return cursorOf('`nextCursor` of the previous response; absent: the first page.', (text) => decodeCursor(text));
}

/** An optional `nextCursor` of a list with numbered pages; `ids`: the form of its ids. */
export function IsPageCursor(ids?: RegExp): PropertyDecorator {
  return cursorOf(
    'Reads the list by cursors, at the same speed anywhere: empty for the first items, then `nextCursor` of the previous response. The ' +
      'response has only `items` and `nextCursor`; `page` has no effect.',
    (text) => text === '' || decodeCursor(text, ids),
  );
}

function cursorOf(description: string, read: (text: string) => unknown): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ description, example: EXAMPLE }),
    IsOptional(),
    ValidateBy({
      name: 'matches',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && Boolean(read(value)),
        defaultMessage: () => '$property must be a nextCursor of this list',
      },
    }),
  );
}
