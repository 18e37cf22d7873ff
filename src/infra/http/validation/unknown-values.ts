import type { ValidationArguments } from 'class-validator';

/** Names up to three values of the list that are not among the allowed ones, and all of those: a message for `IsIn` with `each`. */
export function unknownValues(allowed: readonly string[]): (context: ValidationArguments) => string {
  return ({ value, property }) => {
    const unknown = [value as unknown].flat().filter((one) => !allowed.some((known) => known === one));
    const named = unknown.slice(0, 3).map((one) => String(JSON.stringify(one)).slice(0, 64));
    return `${property} must not contain ${named.join(', ')}. The ${property} are ${allowed.join(', ')}`;
  };
}
