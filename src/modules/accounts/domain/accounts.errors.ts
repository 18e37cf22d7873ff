import { domainError, type FieldError } from '../../../kernel/domain-error';
import { PlatformRejectedError } from '../../../kernel/platform.errors';
import { ValidationFailedError } from '../../../kernel/request.errors';
import type { SenderProblem } from './sender';

/** No account has this id. */
export class AccountNotFoundError extends domainError({
  code: 'account_not_found',
  kind: 'not_found',
  when: 'No account has this id.',
  remedy: 'List the accounts with `GET /accounts`.',
}) {
  constructor() {
    super('There is no account with this id.');
  }
}

/** The account cannot send yet. */
export class AccountWithoutSenderError extends domainError({
  code: 'sender_missing',
  kind: 'unprocessable',
  when: 'The account has no sender yet.',
  remedy: 'Ask the operator of the service to add a phone number of the platform to the account.',
}) {
  constructor() {
    super('The account has no sender yet. Ask the operator of the service to add a phone number of the platform.');
  }
}

/** Another account uses this phone number of the platform. */
export class PhoneNumberTakenError extends domainError({
  code: 'phone_number_taken',
  kind: 'conflict',
  when: 'Another account sends from this platform phone number.',
  remedy: 'Use another phone number: a number of the platform belongs to one account.',
}) {
  constructor() {
    super('Another account uses this phoneNumberId. A phone number of the platform belongs to one account.');
  }
}

/** The platform does not let the service use a number, or could not be asked. */
export class SenderNotReachableError extends domainError({
  code: 'sender_not_reachable',
  kind: 'unprocessable',
  when: 'The platform refuses the access token for the phone number of the sender, does not know the number, or could not be asked. The message says which.',
  remedy:
    'Correct the token or the phone number id, or store the sender without asking the platform: `"skipCheck": true`.',
}) {
  constructor(phoneNumberId: string, reason: string, isRefusal: boolean) {
    const cause = isRefusal
      ? `The platform refuses this sender's access token for the phone number ${phoneNumberId}`
      : `The platform could not be asked for the phone number ${phoneNumberId}`;
    super(
      `${cause}: ${reason.replace(/\.$/, '')}. Correct the sender, or store it without this check: "skipCheck": true.`,
    );
  }
}

/** The platform refused the access token of a sender, so nothing could be read. */
export class AccessTokenRefusedError extends PlatformRejectedError {
  override readonly code: SenderProblem['code'];
  override readonly extra: { platformCode: number };

  constructor({ code, message }: SenderProblem, platformCode: number) {
    super(message);
    this.code = code;
    this.extra = { platformCode };
  }
}

/** The platform refused to show the phone number of a sender, for another reason than its access token. */
export class NumberNotShownError extends PlatformRejectedError {
  override readonly extra: { platformCode: number };

  constructor(reason: string, platformCode: number) {
    super(
      `The platform does not show the phone number of this account: ${reason}. ` +
        'Ask the operator of the service to check the phone number id of the sender.',
    );
    this.extra = { platformCode };
  }
}

/** The calling account would lock itself out. */
export class OwnAccountError extends domainError({
  code: 'own_account',
  kind: 'conflict',
  when: 'The request suspends the account that it was made with.',
  remedy: 'Suspend another account: that of the operator stays active.',
}) {
  constructor() {
    super('An account cannot suspend itself: that of the operator stays active.');
  }
}

/** No key of the account has this id. */
export class ApiKeyNotFoundError extends domainError({
  code: 'api_key_not_found',
  kind: 'not_found',
  when: 'No API key of the account has this id.',
  remedy: 'List the keys with `GET /api-keys`.',
}) {
  constructor() {
    super('There is no API key with this id in your account.');
  }
}

/** The calling key would lock itself out. */
export class KeyInUseError extends domainError({
  code: 'key_in_use',
  kind: 'conflict',
  when: 'The request changes or revokes the key that it was made with.',
  remedy: 'Use another key to change or revoke this one.',
}) {
  constructor() {
    super(
      'The request is made with this key. Use another key to revoke it or to change its scopes, expiry or addresses.',
    );
  }
}

/** The request would make or use a key that may do more than the key that it was made with; `beyond` says in what. */
export class BeyondOwnKeyError extends domainError({
  code: 'beyond_own_key',
  kind: 'forbidden',
  when: "The request would create, change or rotate a key that may do more than the key of the request, or give `accounts:manage` to another account than the operator's.",
  remedy:
    'Ask for no more scopes, no later expiry and no other addresses than those of your own key, or use another key.',
}) {
  constructor(beyond: string) {
    super(`A key can manage only keys that may do no more than itself: ${beyond}.`);
  }
}

/** What a plan limits, by the name of the limit. */
const QUOTAS = {
  maxApiKeys: 'API keys',
  maxGroups: 'contact groups',
  maxWebhookEndpoints: 'webhook endpoints',
  maxOpenJobs: 'bulk jobs that have not ended',
};

/** The account has as much of something as its plan allows; `limit` is that number. */
export class QuotaExceededError extends domainError({
  code: 'quota_exceeded',
  kind: 'conflict',
  when: 'The account has as many API keys, contact groups, webhook endpoints or unfinished bulk jobs as its plan allows. `quota` names the limit.',
  remedy:
    'Delete what is no longer used, wait until jobs have ended or cancel them, or choose a larger plan. `limit` is the number that the plan allows.',
  extra: {
    quota: { type: 'string', description: 'the limit', enum: Object.keys(QUOTAS), example: 'maxOpenJobs' },
    limit: { type: 'integer', description: 'how many the plan allows', example: 100 },
  },
}) {
  override readonly extra: { quota: keyof typeof QUOTAS; limit: number };

  constructor(quota: keyof typeof QUOTAS, limit: number) {
    const remedy =
      quota === 'maxOpenJobs' ? 'Wait until some have ended, cancel some' : 'Delete what is no longer used';
    super(`The plan of the account allows ${limit} ${QUOTAS[quota]}. ${remedy}, or choose a larger plan.`);
    this.extra = { quota, limit };
  }
}

/** Fields that fail checks which need stored data or configuration. */
export class InvalidFieldsError extends ValidationFailedError {
  constructor(errors: readonly FieldError[]) {
    super(errors, errors.map(({ message }) => message).join(' '));
  }
}
