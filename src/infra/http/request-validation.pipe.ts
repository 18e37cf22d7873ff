import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import type { FieldError } from '../../kernel/domain-error';
import type { FieldCode } from '../../kernel/field-problems';
import { ValidationFailedError } from '../../kernel/request.errors';
import { meantField } from './meant-field';
import { childPath, findUnsafe, unknownField } from './unsafe-text';

/** Validates bodies, queries and parameters by their DTO classes and reports all errors at once, in field order. */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      // The object names the fields that an unknown one may have meant.
      validationError: { target: true },
      exceptionFactory: (errors) => new ValidationFailedError(errorsOf(errors)),
    });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Values of our own decorators, and bodies that `@Idempotent` has validated for their fingerprint.
    const isTrusted = metadata.type === 'custom' || (metadata.type === 'body' && isInstance(value, metadata.metatype));
    return isTrusted ? Promise.resolve(value) : this.checked(value, metadata);
  }

  private async checked(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Path parameters are ids or numbers, and their own pipes reject everything else.
    if (metadata.type === 'body' || metadata.type === 'query') {
      const unsafe = findUnsafe(value);
      if (unsafe) throw new ValidationFailedError([unsafe]);
    }
    if (metadata.type === 'body' && Array.isArray(value)) {
      throw new ValidationFailedError([
        { field: 'body', code: 'wrong_type', message: 'The body must be one JSON object.' },
      ]);
    }
    return super.transform(value, metadata) as Promise<unknown>;
  }
}

/** JSON never parses to an instance of a DTO class. */
function isInstance(value: unknown, metatype: ArgumentMetadata['metatype']): boolean {
  return metatype !== undefined && metatype !== Object && value instanceof metatype;
}

/** One error per field: known fields in the order of their declaration, then unknown fields. */
export function errorsOf(broken: readonly ValidationError[]): FieldError[] {
  const errors = collect(broken, '');
  return [
    ...errors.filter(({ code }) => code !== 'unknown_field'),
    ...errors.filter(({ code }) => code === 'unknown_field'),
  ];
}

function collect(errors: readonly ValidationError[], parent: string): FieldError[] {
  return errors.flatMap((error) => {
    const field = childPath(parent, error.property, /^\d+$/.test(error.property));
    const inner = collect(error.children ?? [], field);
    if (!error.constraints) return inner;
    const own = errorOf(field, error, error.constraints);
    // If the value should be a list and is not, its contents were validated against the wrong type.
    if ('isArray' in error.constraints) return [own];
    // If items of a list are not objects, report each item if possible.
    return 'isObject' in error.constraints && inner.length > 0 ? inner : [own, ...inner];
  });
}

/** Stable codes of the checks in DTOs; the first failed check in this order is reported. */
const CODES: Readonly<Partial<Record<string, FieldCode>>> = {
  whitelistValidation: 'unknown_field',
  fitsMessageType: 'not_allowed',
  standsAlone: 'not_allowed',
  isDefined: 'required',
  isString: 'wrong_type',
  isInt: 'wrong_type',
  isNumber: 'wrong_type',
  isBoolean: 'wrong_type',
  isArray: 'wrong_type',
  isObject: 'wrong_type',
  isNotEmpty: 'required',
  isIn: 'not_allowed',
  isEnum: 'not_allowed',
  isUuid: 'invalid_id',
  min: 'out_of_range',
  max: 'out_of_range',
  minLength: 'too_short',
  maxLength: 'too_long',
  isLength: 'wrong_length',
  arrayNotEmpty: 'too_few',
  arrayMinSize: 'too_few',
  arrayMaxSize: 'too_many',
  arrayUnique: 'not_unique',
  matches: 'invalid_format',
  isIso8601: 'invalid_format',
  isPublicUrl: 'invalid_format',
  isUrl: 'invalid_format',
};

function errorOf(field: string, error: ValidationError, constraints: Record<string, string>): FieldError {
  if ('whitelistValidation' in constraints) {
    const meant = error.target && meantField(error.property, error.target);
    return unknownField(field, meant && field.slice(0, -error.property.length) + meant);
  }
  // For an object in place of a list, the error has children but no value.
  if ((error.value === undefined || error.value === null) && !error.children?.length) {
    return { field, code: 'required', message: constraints.isGiven ?? `${field} is required.` };
  }
  if ('nestedValidation' in constraints && !('isArray' in constraints)) {
    // The message of the library calls arrays objects; one of ours shows the form.
    const own = constraints.nestedValidation?.startsWith('must ') ? constraints.nestedValidation : 'must be an object.';
    return { field, code: 'wrong_type', message: `${field} ${own}` };
  }
  const check = Object.keys(CODES).find((name) => name in constraints) ?? Object.keys(constraints)[0] ?? '';
  const code = CODES[check] ?? 'invalid';
  const text = constraints[check] ?? 'is not valid';
  // Messages of the library start with the property name only; replace it by the full path.
  const message = text.startsWith(`${error.property} `) ? field + text.slice(error.property.length) : text;
  return { field, code, message: /[.!?]$/.test(message) ? message : `${message}.` };
}
