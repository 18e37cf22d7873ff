/** The closed list of what can be wrong with a request; one table in the HTTP filter gives each kind its status. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported_type'
  | 'unprocessable'
  | 'rate_limited'
  | 'unavailable';

/** One fault of one field, as it stands in the `errors` list of an answer. */
export interface FieldFault {
  field: string;
  code: string;
  message: string;
}

/** A fault the caller can understand: `kind` decides the status, `code` is stable, `message` says what to do. */
export abstract class DomainError extends Error {
  abstract readonly kind: ErrorKind;
  abstract readonly code: string;
  /** Extra fields of the answer, such as `requiredScope` or `availableLanguages`. */
  readonly extra: Readonly<Record<string, unknown>> = {};
  /** Faults by field, where there are several. */
  readonly faults: readonly FieldFault[] = [];
  /** Whole seconds after which a repetition makes sense; set for `unavailable` and `rate_limited`. */
  readonly retryAfterSeconds?: number;

  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}
