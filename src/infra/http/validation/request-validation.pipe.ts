import { setImmediate } from 'node:timers/promises';
import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import type { FieldError } from '../../../kernel/domain-error';
import type { FieldCode } from '../../../kernel/field-problems';
import { MAX_ERRORS, ValidationFailedError } from '../../../kernel/request.errors';
import { longListOf } from './long-list.decorator';
import { suggestField } from './suggest-field';
import { childPath, findUnsafe, unknownField } from '../bodies/unsafe-text';

/** Items of a long list that are validated without a pause for other requests; each may have 200 values. */
const PART = 50;

/** What class-validator found. */
class InvalidValuesError extends Error {
  constructor(readonly found: ValidationError[]) {
    super('The values are invalid');
  }
}

/** Validates bodies, queries and parameters by their DTO classes; reports all errors at once, in field order. */
@Injectable()
export class RequestValidationPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      // The suggestion for an unknown field needs the object.
      validationError: { target: true },
      exceptionFactory: (errors) => new InvalidValuesError(errors),
    });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Values of custom decorators, and bodies that `@Idempotent` has validated for their fingerprint.
    const isTrusted = metadata.type === 'custom' || (metadata.type === 'body' && isInstance(value, metadata.metatype));
    return isTrusted ? Promise.resolve(value) : this.transformValue(value, metadata);
  }

  /** Unlike the library, removes no names: `findUnsafe` rejects inherited ones, where the client does not choose them. */
  protected override stripProtoKeys(): void {
    return;
  }

  private async transformValue(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Path parameters are ids or numbers, and their own pipes reject everything else.
    if (metadata.type === 'body' || metadata.type === 'query') {
      const unsafe = findUnsafe(value);
      if (unsafe.length > 0) throw new ValidationFailedError(unsafe);
    }
    if (metadata.type === 'body' && Array.isArray(value)) {
      throw new ValidationFailedError([
        { field: 'body', code: 'wrong_type', message: 'The body must be one JSON object.' },
      ]);
    }
    try {
      const long = metadata.type === 'body' ? longListOf(value ?? {}, metadata.metatype) : null;
      return await (long ? this.transformInParts(value as object, long, metadata) : super.transform(value, metadata));
    } catch (error) {
      throw error instanceof InvalidValuesError ? new ValidationFailedError(errorsOf(error.found)) : error;
    }
  }

  private async transformInParts(
    body: object,
    { field, list }: { field: string; list: unknown[] },
    metadata: ArgumentMetadata,
  ): Promise<unknown> {
    let whole: Record<string, unknown> | undefined;
    const items: unknown[] = [];
    /** Those of other fields are the same in each part. */
    let errors: ValidationError[] = [];
    const itemErrors: ValidationError[] = [];
    // No more errors are reported, and those of 20 MB would take 1 GB of memory.
    for (let start = 0; (start === 0 || start < list.length) && itemErrors.length < MAX_ERRORS; start += PART) {
      if (start > 0) await setImmediate();
      try {
        const part = { ...body, [field]: list.slice(start, start + PART) };
        whole = (await super.transform(part, metadata)) as Record<string, unknown>;
        items.push(...(whole[field] as unknown[]));
      } catch (error) {
        if (!(error instanceof InvalidValuesError)) throw error;
        const ofList = error.found.find(({ property }) => property === field);
        if (ofList || errors.length === 0) errors = error.found;
        for (const ofItem of ofList?.children ?? []) {
          itemErrors.push(Object.assign(ofItem, { property: String(Number(ofItem.property) + start) }));
        }
      }
    }
    if (errors.length > 0) {
      const ofList = errors.find(({ property }) => property === field);
      if (itemErrors.length > 0) ofList!.children = itemErrors;
      throw new InvalidValuesError(errors);
    }
    return Object.assign(whole!, { [field]: items });
  }
}

/** JSON never parses to an instance of a DTO class. */
function isInstance(value: unknown, metatype: ArgumentMetadata['metatype']): boolean {
  return metatype !== undefined && metatype !== Object && value instanceof metatype;
}

/** One error per field: known fields in declaration order, then unknown fields. */
export function errorsOf(invalid: readonly ValidationError[]): FieldError[] {
  const errors = collect(invalid, '', { suggestions: MAX_ERRORS });
  return [
    ...errors.filter(({ code }) => code !== 'unknown_field'),
    ...errors.filter(({ code }) => code === 'unknown_field'),
  ];
}

/** What may still be spent on the errors of one request: a suggestion takes some 70 µs. */
interface Budget {
  suggestions: number;
}

function collect(errors: readonly ValidationError[], parent: string, budget: Budget): FieldError[] {
  return errors.flatMap((error) => {
    const field = childPath(parent, error.property, /^\d+$/.test(error.property));
    const inner = collect(error.children ?? [], field, budget);
    if (!error.constraints) return inner;
    const own = errorOf(field, error, error.constraints, budget);
    // If the value is not a list as required, its contents were validated against the wrong type.
    if ('isArray' in error.constraints) return [own];
    // If items of a list are not objects, report each item if possible.
    return 'isObject' in error.constraints && inner.length > 0 ? inner : [own, ...inner];
  });
}

/** Stable codes of DTO checks; the first failed check in this order is reported. */
const CODES: Readonly<Partial<Record<string, FieldCode>>> = {
  whitelistValidation: 'unknown_field',
  fitsMessageType: 'not_allowed',
  notCombined: 'not_allowed',
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

function errorOf(
  field: string,
  error: ValidationError,
  constraints: Record<string, string>,
  budget: Budget,
): FieldError {
  if ('whitelistValidation' in constraints) {
    const suggestion =
      error.target && budget.suggestions-- > 0 ? suggestField(error.property, error.target) : undefined;
    return unknownField(field, suggestion && field.slice(0, -error.property.length) + suggestion);
  }
  // For an object instead of a list, the error has children but no value.
  if ((error.value === undefined || error.value === null) && !error.children?.length) {
    return { field, code: 'required', message: constraints.isGiven ?? `${field} is required.` };
  }
  if ('nestedValidation' in constraints && !('isArray' in constraints)) {
    // The library's message calls arrays objects; our own messages show the format.
    const own = constraints.nestedValidation?.startsWith('must ') ? constraints.nestedValidation : 'must be an object.';
    return { field, code: 'wrong_type', message: `${field} ${own}` };
  }
  const check = Object.keys(CODES).find((name) => name in constraints) ?? Object.keys(constraints)[0] ?? '';
  const code = CODES[check] ?? 'invalid';
  const text = (constraints[check] ?? 'is not valid').replace(/\b1 (element|character)s\b/, '1 $1');
  // The library's messages start with the property name only; replace it with the full path.
  const message = text.startsWith(`${error.property} `) ? field + text.slice(error.property.length) : text;
  return { field, code, message: /[.!?]$/.test(message) ? message : `${message}.` };
}
