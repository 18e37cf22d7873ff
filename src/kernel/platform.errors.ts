import { domainError } from './domain-error';

/** The platform was not reached, or cannot take this at the moment; `message` says what was not done. */
export class PlatformUnavailableError extends domainError({
  code: 'platform_unavailable',
  kind: 'unavailable',
  when: 'The platform could not be reached; nothing was sent.',
  remedy: 'Send the same request again after `Retry-After` seconds.',
}) {
  override readonly retryAfterSeconds = 5;
}

/** The platform refused a message or a file for good; `message` gives its reason. */
export class PlatformRejectedError extends domainError({
  code: 'platform_rejected',
  kind: 'unprocessable',
  when: 'The platform refused the message or the file for good. A message has the code of its problem instead, where [the list](#messages-and-recipients) has one: `recipient_unreachable`, `template_paused`, ….',
  remedy:
    'Look up `platformCode` under [platform errors](#messages-and-recipients), correct the request, and send it with another `Idempotency-Key`.',
  extra: {
    platformCode: { type: 'integer', description: "the platform's code", example: 131026 },
    messageId: {
      type: 'string',
      format: 'uuid',
      description: 'the message in the history',
      example: '0199d1b5-7c1e-7a40-8f3b-2f4f5d0c9a11',
    },
  },
}) {}
