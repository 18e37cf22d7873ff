import { domainError } from '../../../kernel/domain-error';

/** The key was used with another request. */
export class IdempotencyMismatchError extends domainError({
  code: 'idempotency_mismatch',
  kind: 'unprocessable',
  when: 'This `Idempotency-Key` was used with another request.',
  remedy: 'Use a new key for a new request.',
}) {
  constructor() {
    super('This Idempotency-Key was used with another request. Use a new key for a new request.');
  }
}

/** A request with the key is still running. */
export class IdempotencyInProgressError extends domainError({
  code: 'idempotency_in_progress',
  kind: 'conflict',
  when: 'A request with this `Idempotency-Key` is still running.',
  remedy: 'Repeat the request after `Retry-After` seconds to get the response of the first one.',
}) {
  override readonly retryAfterSeconds = 2;

  constructor() {
    super('A request with this Idempotency-Key is still running. Repeat the request later to get its response.');
  }
}

/** The claim expired during the request and another request took it over: this one must create nothing. */
export class IdempotencyLostError extends domainError({
  code: 'idempotency_lost',
  kind: 'conflict',
  when: 'Another request took over this `Idempotency-Key`; this one had no effect.',
  remedy: 'Repeat the request to get the response of the one that took over the key.',
}) {
  constructor() {
    super(
      'Another request took over this Idempotency-Key; this one had no effect. Repeat the request to get the ' +
        'response.',
    );
  }
}
