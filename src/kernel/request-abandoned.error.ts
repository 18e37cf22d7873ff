import { DomainError } from './domain-error';

/** The client disconnected before its request was complete; nothing was stored. */
export class RequestAbandonedError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'request_abandoned';

  constructor() {
    super('The client aborted the request. Nothing was created.');
  }
}
