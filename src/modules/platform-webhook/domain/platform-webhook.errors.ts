import { ServiceUnavailableError } from '../../../kernel/request.errors';
import { domainError } from '../../../kernel/domain-error';

/** A webhook signed with none of the known app secrets. */
export class WebhookSignatureError extends domainError({
  code: 'invalid_signature',
  kind: 'unauthenticated',
  when: "The webhook's platform signature is missing or does not match its body.",
  remedy: "Check the app secret of the sender: it must be that of the platform's app.",
}) {
  constructor() {
    super('The signature is missing or does not match the body. Check the app secret of the sender.');
  }
}

/** A webhook verification request with a wrong verify token. */
export class WebhookVerificationError extends domainError({
  code: 'verification_failed',
  kind: 'forbidden',
  when: 'The verify token does not match this service.',
  remedy: 'Check `PLATFORM_WEBHOOK_VERIFY_TOKEN` against the token given to the platform.',
}) {
  constructor() {
    super('The verify token does not match this service. Check PLATFORM_WEBHOOK_VERIFY_TOKEN.');
  }
}

/** The queue of reports is full. */
export class TooManyReportsError extends ServiceUnavailableError {
  constructor() {
    super('Too many reports are waiting to be written. Retry later.');
  }
}
