import type { Explanation } from './explanation';
import type { FieldCode } from './field-problems';

/** The closed list of error kinds; a table of the HTTP edge maps each kind to a status. */
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

/** An error the caller can understand: `kind` decides the status, `code` is stable, `message` says what to do. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  abstract readonly code: string;
  /** Extra fields of the answer, such as `requiredScope` or `availableLanguages`. */
  readonly extra: Readonly<Record<string, unknown>> = {};
  /** Errors by field, where there are several. */
  readonly errors: readonly FieldError<string>[] = [];
  /** Whether the request created something all the same, so that its answer is kept under an Idempotency-Key. */
  readonly keepAnswer: boolean = false;
  /** The methods that the path has; set for `method_not_allowed`. */
  readonly allowedMethods?: readonly string[];
  /** Whole seconds after which a repetition makes sense; set for `unavailable` and `rate_limited`. */
  readonly retryAfterSeconds?: number;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** An extra field of an error body: its JSON Schema, what it says, and an example. */
export interface ExtraField {
  type: 'string' | 'integer' | 'array';
  description: string;
  example: unknown;
  format?: 'uuid' | 'date-time';
  enum?: readonly string[];
  nullable?: boolean;
}

/** What clients are told about an error beforehand. */
export interface ErrorDeclaration extends Explanation {
  /** Stable name in snake_case. */
  code: string;
  kind: ErrorKind;
  /** Extra fields of its body by name. */
  extra?: Readonly<Record<string, ExtraField>>;
  /** An example of its `errors` list, where it has one. */
  errors?: readonly (FieldError & { rowNumber?: number })[];
}

/** A class of errors that was declared with `domainError`. */
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

/** Every declared error of the modules that are loaded. */
export function declaredErrors(): ErrorDeclaration[] {
  return [...DECLARED.values()];
}
