import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { type ClassConstructor, plainToInstance, Transform } from 'class-transformer';
import { IsIn, IsOptional } from 'class-validator';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { DEFAULT_LIMITS, findExcess } from '../bodies/json-bounds';
import { findUnsafe } from '../bodies/unsafe-text';

/** Whether row 1 of an uploaded file is a header. */
export const HasHeaderField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: 'Whether row 1 is a header. `auto`: yes if its first cell contains no digit.',
      enum: ['auto', 'true', 'false'],
      default: 'auto',
    }),
    IsOptional(),
    IsIn(['auto', 'true', 'false']),
  );

/** Whether an uploaded file is only checked. */
export const DryRunField = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: '`true`: only check the file. Returns 200 with the counts and the first 100 row errors.',
      enum: ['true', 'false'],
      default: 'false',
    }),
    IsOptional(),
    IsIn(['true', 'false']),
  );

/** Form fields are text. Only digits are accepted as a number: Number() would accept '0x10' and '1e3' too. */
export const NumberInText = () =>
  Transform(({ value }: { value: unknown }) => {
    if (value === '') return undefined;
    return typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  });

/** Forms send empty fields as empty texts. */
export const EmptyIsAbsent = () => Transform(({ value }: { value: unknown }) => (value === '' ? undefined : value));

/**
 * Form fields contain objects and lists as JSON, with the limits and field names of a JSON body. An empty field is absent, unless
 * `mayBeEmpty` is false; then it stays text, as `null` and invalid JSON do, which validation rejects. With `isList` a text that is no JSON is
 * the only item of a list: a form with a field for each item sends a single one so.
 */
export const JsonInText = (dto?: ClassConstructor<object>, { mayBeEmpty = true, isList = false } = {}) =>
  Transform(({ value, key }: { value: unknown; key: string }) => {
    if (typeof value !== 'string') return value;
    if (mayBeEmpty && value === '') return undefined;
    const parsed = parsedJson(value);
    if (parsed === null) return isList ? [value] : value;
    const field = { [key]: parsed };
    const excess = findExcess(field, DEFAULT_LIMITS);
    const errors = excess ? [excess] : findUnsafe(field);
    if (errors.length > 0) throw new ValidationFailedError(errors);
    return dto && typeof parsed === 'object' ? plainToInstance(dto, parsed) : parsed;
  });

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
