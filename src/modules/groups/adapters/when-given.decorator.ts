import { ValidateIf } from 'class-validator';

/** The field may be absent, but not null: for what a change sets and cannot take away. */
export function WhenGiven(): PropertyDecorator {
  return ValidateIf((_: object, value: unknown) => value !== undefined);
}
