import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsString, Max, MaxLength, Min, type ValidationArguments } from 'class-validator';
import type { Page, PageRequest, SliceRequest } from '../../../kernel/page';

const MAX_INTEGER = 2_147_483_647;

/** A whole number in a query: digits only, between `min` and `max`. */
export function QueryInteger(options: {
  min: number;
  max: number;
  default: number;
  description: string;
}): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      type: 'integer',
      minimum: options.min,
      maximum: options.max,
      default: options.default,
      example: options.default,
      description: options.description,
    }),
    IsOptional(),
    // Number() would also accept '', '0x10' and '1e3'.
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value,
    ),
    IsInt({
      message: ({ value }: ValidationArguments) =>
        Array.isArray(value)
          ? '$property is given twice. Send it once'
          : `$property must be a whole number from ${options.min} to ${options.max}`,
    }),
    Min(options.min),
    Max(options.max),
  );
}

/** Query of a list with pages. */
export class PageQueryDto implements PageRequest {
  @QueryInteger({ min: 1, max: MAX_INTEGER, default: 1, description: 'Page number, from 1.' })
  page = 1;

  @QueryInteger({ min: 1, max: 100, default: 20, description: 'Items per page.' })
  pageSize = 20;
}

/** Query of a list with a cursor. */
export class CursorQueryDto implements SliceRequest {
  @ApiPropertyOptional({
    description: '`nextCursor` of the previous response; absent: the first page.',
    example: 'MDE5OTk5',
  })
  @IsOptional()
  @IsString()
  @MaxLength(512)
  cursor?: string;

  @QueryInteger({ min: 1, max: 200, default: 50, description: 'Maximum number of items.' })
  limit = 50;
}

/** A page in a response. */
export interface PageAnswer<T> extends Page<T> {
  totalPages: number;
}

/** Adds the number of pages: 0 for an empty list. */
export function pageAnswer<T>(page: Page<T>): PageAnswer<T> {
  return { ...page, totalPages: Math.ceil(page.totalCount / page.pageSize) };
}
