import { ValidateIf } from 'class-validator';

/** The field may be left out, but null is checked like every other value; `@IsOptional()` would let null pass unchecked. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
