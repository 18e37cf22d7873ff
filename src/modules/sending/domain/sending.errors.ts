import { DomainError } from '../../../kernel/domain-error';

/** The recipient asked not to be written to. */
export class RecipientOptedOutError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'recipient_opted_out';

  constructor() {
    super(
      'The recipient has opted out of messages. Remove the opt-out only when the person asks to be written to again.',
    );
  }
}

/** The platform refused the message for good. The answer is kept under an Idempotency-Key: the message exists. */
export class PlatformRejectedError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'platform_rejected';
  readonly keepAnswer = true;
  override readonly extra: Readonly<Record<string, unknown>>;

  constructor(reason: string, platformCode: number | null, messageId: string) {
    super(`The platform refused the message: ${reason}`);
    this.extra = { platformCode, messageId };
  }
}

/** The platform was certainly not reached, so nothing was sent. */
export class PlatformUnavailableError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'platform_unavailable';
  override readonly retryAfterSeconds = 5;

  constructor() {
    super('The messaging platform cannot be reached. Nothing was sent: it is safe to send the same request again.');
  }
}

/** The operator stopped everything that the account sends. */
export class SendingPausedError extends DomainError {
  readonly kind = 'unavailable';
  readonly code = 'sending_paused';
  override readonly retryAfterSeconds = 60;

  constructor() {
    super('Sending is paused for this account by the operator. Nothing was sent: send again once it goes on.');
  }
}

/** More than 24 hours have passed since the person wrote. Where only the platform said so, the message exists and has failed. */
export class WindowClosedError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'window_closed';
  readonly keepAnswer: boolean;
  override readonly extra: Readonly<Record<string, unknown>>;

  constructor(windowExpiresAt: Date | null, messageId: string | null = null) {
    super(
      windowExpiresAt === null
        ? 'The person has never written to you: only a template can be sent. Use POST /send-template.'
        : 'More than 24 hours have passed since the person wrote: only a template can be sent. Use POST /send-template.',
    );
    this.keepAnswer = messageId !== null;
    const known = { windowExpiresAt: windowExpiresAt?.toISOString() ?? null };
    this.extra = messageId === null ? known : { ...known, messageId };
  }
}

/** What a reply answers or reacts to is no message of its conversation; `field` names it. */
export class AnsweredMessageNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'message_not_found';

  constructor(field: string) {
    super(`No message of this conversation has the id in ${field}. Take the id of one that the conversation lists.`);
  }
}

/** The platform does not know what a reply answers or reacts to; `field` names it. */
export class AnsweredMessageNotSentError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'message_not_sent';

  constructor(field: string) {
    super(
      `The platform has not accepted the message in ${field}, so nothing can answer it. Wait until it is Sent, or leave it out.`,
    );
  }
}
