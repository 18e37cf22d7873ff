import type { Explanation } from './explanation';
import type { FieldCode } from './field-problems';

/** The closed list of error kinds; the HTTP edge maps each kind to a status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'unsupported_type'
  | 'unprocessable'
  | 'rate_limited'
  | 'internal'
  | 'unavailable';

/** One error of one field in the `errors` list of a response. */
export interface FieldError<Code extends string = FieldCode> {
  field: string;
  code: Code;
  message: string;
}

/** An error for the caller: `kind` determines the status, `code` is stable, `message` states the fact and the remedy. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  abstract readonly code: string;
  /** Extra fields of the response, such as `requiredScope` or `availableLanguages`. */
  readonly extra: Readonly<Record<string, unknown>> = {};
  /** Errors by field, if any. */
  readonly errors: readonly FieldError<string>[] = [];
  /** Whether the request created something nevertheless, so that its response is stored under the Idempotency-Key. */
  readonly keepAnswer: boolean = false;
  /** The methods that the path supports; set for `method_not_allowed`. */
  readonly allowedMethods?: readonly string[];
  /** Whole seconds to wait before a retry; set for `unavailable` and `rate_limited`. */
  readonly retryAfterSeconds?: number;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** An extra field of an error body: JSON Schema, description and example. */
export interface ExtraField {
  type: 'string' | 'integer' | 'array';
  description: string;
  example: unknown;
  format?: 'uuid' | 'date-time';
  enum?: readonly string[];
  nullable?: boolean;
}

/** The documented part of an error. */
export interface ErrorDeclaration extends Explanation {
  /** Stable name in snake_case. */
  code: string;
  kind: ErrorKind;
  /** Extra fields of the body by name. */
  extra?: Readonly<Record<string, ExtraField>>;
  /** An example of the `errors` list, if it has one. */
  errors?: readonly (FieldError & { rowNumber?: number })[];
}

/** An error class declared with `domainError`. */
export interface ErrorClass {
  readonly declaration: ErrorDeclaration;
  readonly prototype: DomainError;
}

const DECLARED = new Map<string, ErrorDeclaration>();

/**
 * The class to extend for an error with this code: `class JobNotFoundError extends domainError({ code: 'job_not_found', … })`.
 * A code is declared once; further classes with the same code extend the class that declares it.
 */
export function domainError<const Code extends string>(declaration: ErrorDeclaration & { code: Code }) {
  if (DECLARED.has(declaration.code)) throw new Error(`The error code ${declaration.code} is declared twice`);
  DECLARED.set(declaration.code, declaration);
  abstract class DeclaredError extends DomainError {
    static readonly declaration = declaration;
    readonly kind = declaration.kind;
    readonly code: Code = declaration.code;
  }
  return DeclaredError;
}

/** All errors declared by the loaded modules. */
export function declaredErrors(): ErrorDeclaration[] {
  return [...DECLARED.values()];
}
