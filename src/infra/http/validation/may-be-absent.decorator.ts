import { ValidateIf } from 'class-validator';

/** The field may be omitted, but null is validated like any other value; `@IsOptional()` would accept null. */
export function MayBeAbsent(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}
