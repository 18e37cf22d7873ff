import { ValidateIf } from 'class-validator';

/** The field may be absent, but not null: for values that a change can set but not remove. */
export function WhenGiven(): PropertyDecorator {
  return ValidateIf((_: object, value: unknown) => value !== undefined);
}
