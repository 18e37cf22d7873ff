import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import type { FieldFault } from '../../kernel/domain-error';
import { ValidationFailedError } from './http.errors';
import { childPath, findUnsafe, unknownField } from './unsafe-text';

/** Checks bodies, queries and parameters against their DTO classes and tells all faults at once, in field order. */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      exceptionFactory: (errors) => new ValidationFailedError(faultsOf(errors)),
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // What stands in a path is an id or a number: whatever is none is unknown there.
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

/** One fault for each field, the known fields in the order of their declaration, then the unknown ones. */
export function faultsOf(errors: readonly ValidationError[]): FieldFault[] {
  const faults = collect(errors, '');
  return [
    ...faults.filter(({ code }) => code !== 'unknown_field'),
    ...faults.filter(({ code }) => code === 'unknown_field'),
  ];
}

function collect(errors: readonly ValidationError[], parent: string): FieldFault[] {
  return errors.flatMap((error) => {
    const field = childPath(parent, error.property, /^\d+$/.test(error.property));
    const inner = collect(error.children ?? [], field);
    if (!error.constraints) return inner;
    const own = faultOf(field, error, error.constraints);
    // What stands inside of something that should be a list is judged against the wrong shape.
    if ('isArray' in error.constraints) return [own];
    // That items of a list are no objects is told item by item where that can be.
    return 'isObject' in error.constraints && inner.length > 0 ? inner : [own, ...inner];
  });
}

/** Stable names for the checks that DTOs use; the first that failed in this order is the one that is told. */
const CODES = {
  whitelistValidation: 'unknown_field',
  notAvailableYet: 'unknown_field',
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
  isUrl: 'invalid_format',
} as const;

function faultOf(field: string, error: ValidationError, constraints: Record<string, string>): FieldFault {
  if ('whitelistValidation' in constraints) return unknownField(field);
  // An object where a list is expected comes without its value, but with its children.
  if ((error.value === undefined || error.value === null) && !error.children?.length) {
    return { field, code: 'required', message: constraints.isGiven ?? `${field} is required.` };
  }
  if ('nestedValidation' in constraints && !('isArray' in constraints)) {
    return { field, code: 'wrong_type', message: `${field} must be an object.` };
  }
  const check = Object.keys(CODES).find((name) => name in constraints) ?? Object.keys(constraints)[0] ?? '';
  const code = (CODES as Partial<Record<string, string>>)[check] ?? 'invalid';
  const text = constraints[check] ?? 'is not valid';
  // The library's own texts start with the bare name of the property; the path tells which one is meant.
  const message = text.startsWith(`${error.property} `) ? field + text.slice(error.property.length) : text;
  return { field, code, message: /[.!?]$/.test(message) ? message : `${message}.` };
}
