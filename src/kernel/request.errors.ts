import { domainError, type FieldError } from './domain-error';

/** Maximum number of field errors in a response. */
export const MAX_ERRORS = 100;

/** Missing, wrong or unknown fields: lists all of them, in field order, at most 100. */
export class ValidationFailedError extends domainError({
  code: 'validation_failed',
  kind: 'invalid',
  when: 'A field is missing, wrong or unknown: all format errors are listed or, if there are none, all content errors.',
  remedy: 'Correct every field that `errors` names, then send the request again.',
  errors: [{ field: 'to', code: 'required', message: 'to is required.' }],
}) {
  override readonly errors: readonly FieldError[];

  constructor(errors: readonly FieldError[], message = summaryOf(errors)) {
    super(message);
    this.errors = errors.slice(0, MAX_ERRORS);
  }
}

/** A dependency of the service is temporarily unavailable; `message` names it and says that nothing was done. */
export class ServiceUnavailableError extends domainError({
  code: 'service_unavailable',
  kind: 'unavailable',
  when: 'The database is unavailable, the service is stopping, or it is too busy.',
  remedy: 'Send the request again after `Retry-After` seconds, with the same `Idempotency-Key` if it had one.',
}) {
  override readonly retryAfterSeconds: number = 5;
}

function summaryOf(errors: readonly FieldError[]): string {
  const first = errors[0]?.message ?? 'The request is not valid.';
  return errors.length > 1 ? `${first} See "errors" for all ${errors.length} errors.` : first;
}
