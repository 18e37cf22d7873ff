import { DomainError } from './domain-error';

/** The client disconnected before its request was complete; nothing is stored. */
export class RequestAbandonedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'request_abandoned';

  constructor() {
    super('The client ended the request before it was complete. Nothing was created.');
  }
}
