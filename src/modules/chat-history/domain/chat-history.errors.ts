import { DomainError, type FieldFault } from '../../../kernel/domain-error';

/** A webhook that no known app secret has signed. */
export class WebhookSignatureError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'invalid_signature';

  constructor() {
    super('X-Hub-Signature-256 is missing or does not fit the body. Check the app secret of the sender.');
  }
}

/** Somebody who wants to verify the webhook's address does not know the verify token. */
export class WebhookVerificationError extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'verification_failed';

  constructor() {
    super('The verify token is not the one of this service. Check PLATFORM_WEBHOOK_VERIFY_TOKEN.');
  }
}

/** More reports wait for the database than may be held. */
export class TooManyReportsError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'service_unavailable';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('Too many reports wait to be written. Repeat the request later.');
  }
}

/** No such conversation in this account. */
export class ConversationNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'conversation_not_found';

  constructor() {
    super('There is no conversation with this id. List the conversations to find the right one.');
  }
}

/** No such message in this account, or not any more. */
export class MessageNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'message_not_found';

  constructor() {
    super('There is no message with this id: it is of another account, its time is over, or it was erased.');
  }
}

/** A place in a list is given by a message that is none of the conversation. */
export class UnknownBoundError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';
  override readonly faults: readonly FieldFault[];

  constructor(fields: readonly string[]) {
    const faults = fields.map((field) => ({
      field,
      code: 'invalid_id',
      message: `${field} must be the id of a message of this conversation, or an ISO 8601 time.`,
    }));
    super(faults[0]?.message ?? 'No message of the conversation has this id.');
    this.faults = faults;
  }
}
