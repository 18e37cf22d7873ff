import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { allowAnyNames } from '../bodies/unsafe-text';

/**
 * The field keeps its value exactly as sent, with objects whose names the client chooses: also `constructor`, `toString` and
 * `__proto__`, which are rejected as unknown fields everywhere else.
 */
export const AsSent = (): PropertyDecorator =>
  applyDecorators(
    (_: object, field: string | symbol) => allowAnyNames(String(field)),
    // Without a type, the library takes an own `constructor` for the class of an object; as a Boolean it converts no inner value.
    Type(() => Boolean),
    Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key]),
  );
