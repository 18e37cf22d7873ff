import { domainError } from './domain-error';
import { SHARED_EXPLANATIONS } from './shared-explanations';

/** The platform is unreachable or temporarily unable to handle the call; `message` says what was not done. */
export class PlatformUnavailableError extends domainError({
  code: 'platform_unavailable',
  kind: 'unavailable',
  ...SHARED_EXPLANATIONS.platform_unavailable,
}) {
  override readonly retryAfterSeconds = 5;
}

/** The platform permanently refused a message or file; `message` gives its reason. Subclasses have the code of the problem. */
export class PlatformRejectedError extends domainError<string>({
  code: 'platform_rejected',
  kind: 'unprocessable',
  ...SHARED_EXPLANATIONS.platform_rejected,
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
