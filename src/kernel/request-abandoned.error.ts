import { DomainError } from './domain-error';

/** The client went away before its request was done: nobody reads this answer, and nothing is kept. */
export class RequestAbandonedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'request_abandoned';

  constructor() {
    super('The request was ended by the client before it was done. Nothing was created.');
  }
}
