import { DomainError } from '../../../kernel/domain-error';

/** The key came with another request before. */
export class IdempotencyMismatchError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'idempotency_mismatch';

  constructor() {
    super('This Idempotency-Key was used with another request. Use a new key for a new request.');
  }
}

/** A request with the key is still being worked on. */
export class IdempotencyInProgressError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'idempotency_in_progress';
  override readonly retryAfterSeconds = 2;

  constructor() {
    super('A request with this Idempotency-Key is still running. Repeat it later for its answer.');
  }
}

/** The claim on the key ended while its request was worked on, and another one took it: nothing may be created. */
export class IdempotencyLostError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'idempotency_lost';

  constructor() {
    super('Another request took over this Idempotency-Key, and this one did nothing. Repeat it for the answer.');
  }
}
