import { domainError, type FieldError } from '../../../kernel/domain-error';
import { PlatformRejectedError } from '../../../kernel/platform.errors';
import { ValidationFailedError } from '../../../kernel/request.errors';
import { SHARED_EXPLANATIONS } from '../../../kernel/shared-explanations';
import type { SenderProblem } from './sender';

/** No account has this id. */
export class AccountNotFoundError extends domainError({
  code: 'account_not_found',
  kind: 'not_found',
  when: 'No account has this id.',
  remedy: 'List the accounts with `GET /accounts`.',
}) {
  constructor() {
    super('No account has this id.');
  }
}

/** The account cannot send yet. */
export class AccountWithoutSenderError extends domainError({
  code: 'sender_missing',
  kind: 'unprocessable',
  when: 'The account has no sender yet.',
  remedy: 'Ask the operator of the service to add a platform phone number to the account.',
}) {
  constructor() {
    super('The account has no sender yet. Ask the operator of the service to add a phone number of the platform.');
  }
}

/** The account has no sender with this id. */
export class SenderNotFoundError extends domainError({
  code: 'sender_not_found',
  kind: 'not_found',
  when: 'The account has no sender with this id.',
  remedy: 'List the senders with `GET /senders`, or omit `senderId` to send from the default sender.',
}) {
  constructor() {
    super('The account has no sender with this id. GET /senders lists its senders.');
  }
}

/** The sender of a job or conversation was deleted. */
export class SenderDeletedError extends domainError({
  code: 'sender_deleted',
  kind: 'conflict',
  when: SHARED_EXPLANATIONS.sender_deleted.when,
  remedy: SHARED_EXPLANATIONS.sender_deleted.remedy,
}) {
  constructor() {
    super('The phone number that this job or conversation sends from was deleted from the account.');
  }
}

/** The sender is the default, and other senders exist. */
export class DefaultSenderError extends domainError({
  code: 'default_sender',
  kind: 'conflict',
  when: 'The sender is the default one of its account, which has other senders.',
  remedy:
    'Make another sender the default first: `PATCH /accounts/{accountId}/senders/{senderId}` with `{"default": true}`.',
}) {
  constructor() {
    super(
      'This is the default sender of the account. Make another sender the default first: PATCH it with {"default": true}.',
    );
  }
}

/** The account has no other sender. */
export class OnlySenderError extends domainError({
  code: 'only_sender',
  kind: 'conflict',
  when: 'The account has no other sender.',
  remedy:
    'Add another sender and make it the default first, change the number of this one, stop sending with ' +
    '`"sendingPaused": true`, or delete the account.',
}) {
  constructor() {
    super('The account has no other sender. Add another one and make it the default first.');
  }
}

/** Another sender uses this phone number of the platform. */
export class PhoneNumberTakenError extends domainError({
  code: 'phone_number_taken',
  kind: 'conflict',
  when: 'Another sender, of this or another account, already uses this platform phone number.',
  remedy: 'Use another phone number: a platform number belongs to one sender.',
}) {
  constructor() {
    super('Another sender uses this phoneNumberId. A phone number of the platform belongs to one sender.');
  }
}

/** The platform refuses access to a number or cannot be reached. */
export class SenderNotReachableError extends domainError({
  code: 'sender_not_reachable',
  kind: 'unprocessable',
  when: "The platform refuses the access token for the sender's phone number, does not recognize the number, or cannot be reached. `message` says which.",
  remedy: 'Correct the token or the phone number id, or store the sender without this check: `"skipCheck": true`.',
}) {
  constructor(phoneNumberId: string, reason: string, isRefusal: boolean) {
    const cause = isRefusal
      ? `The platform refuses this sender's access token for the phone number ${phoneNumberId}`
      : `The platform could not be reached to check the phone number ${phoneNumberId}`;
    super(
      `${cause}: ${reason.replace(/\.$/, '')}. Correct the sender, or store it without this check: "skipCheck": true.`,
    );
  }
}

/** The platform refused the access token of a sender. */
export class AccessTokenRefusedError extends PlatformRejectedError {
  override readonly code: SenderProblem['code'];
  override readonly extra: { platformCode: number };

  constructor({ code, message }: SenderProblem, platformCode: number) {
    super(message);
    this.code = code;
    this.extra = { platformCode };
  }
}

/** The platform refused to return the phone number of a sender, for a reason other than its access token. */
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
  when: 'An account cannot suspend or delete itself.',
  remedy: "Name another account; the operator's account stays active.",
}) {
  constructor() {
    super("An account cannot suspend or delete itself; the operator's account stays active.");
  }
}

/** The account was deleted; only its data is left. */
export class AccountDeletingError extends domainError({
  code: 'account_deleting',
  kind: 'conflict',
  when: 'The account was deleted, and its data is being removed.',
  remedy: 'Create another account. A deleted one cannot be restored.',
}) {
  constructor() {
    super('The account was deleted, and its data is being removed.');
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
    super('Your account has no API key with this id.');
  }
}

/** The calling key would lock itself out. */
export class KeyInUseError extends domainError({
  code: 'key_in_use',
  kind: 'conflict',
  when: 'A key cannot change or revoke itself.',
  remedy: 'Use another key to change or revoke this one.',
}) {
  constructor() {
    super('A key cannot revoke itself or change its own scopes, expiry or addresses. Use another key.');
  }
}

/** The key to create, change or rotate would exceed the caller's key; `beyond`: in what. */
export class BeyondOwnKeyError extends domainError({
  code: 'beyond_own_key',
  kind: 'forbidden',
  when:
    'The key to create, change or rotate would exceed the key of the request, or would give `accounts:manage` to ' +
    "an account other than the operator's.",
  remedy: 'Stay within the scopes, expiry and addresses of your own key, or use another key.',
}) {
  constructor(beyond: string) {
    super(`A key can manage only keys that do not exceed it: ${beyond}.`);
  }
}

/** The items that a plan limits, by the name of the limit. */
const QUOTAS = {
  maxApiKeys: 'API keys',
  maxGroups: 'contact groups',
  maxContacts: 'contacts',
  maxWebhookEndpoints: 'webhook endpoints',
  maxOpenJobs: 'unfinished bulk jobs',
};

/** The account has reached a limit of its plan; `limit` is the number allowed. */
export class QuotaExceededError extends domainError({
  code: 'quota_exceeded',
  kind: 'conflict',
  when: "The account has reached the plan's limit of API keys, contact groups, contacts, webhook endpoints or unfinished bulk jobs. `quota` names the limit.",
  remedy:
    'Delete unused items, wait for jobs to end or cancel them, or choose a larger plan. `limit` is the number the ' +
    'plan allows.',
  extra: {
    quota: { type: 'string', description: 'the limit', enum: Object.keys(QUOTAS), example: 'maxOpenJobs' },
    limit: { type: 'integer', description: 'number the plan allows', example: 100 },
  },
}) {
  override readonly extra: { quota: keyof typeof QUOTAS; limit: number };

  constructor(quota: keyof typeof QUOTAS, limit: number) {
    const remedy = quota === 'maxOpenJobs' ? 'Wait for jobs to end, cancel some' : 'Delete unused ones';
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
