import type { Scope } from '../../../kernel/caller';
import { DomainError, type FieldFault } from '../../../kernel/domain-error';

/** No key, or one that is unknown, expired, revoked or used from an address that it does not allow. */
export class UnauthorizedError extends DomainError {
  readonly kind = 'unauthenticated';
  readonly code = 'unauthorized';

  constructor() {
    super('No valid API key was given. Send a valid key in the X-API-Key header.');
  }
}

/** The key is valid but lacks a scope. */
export class MissingScopeError extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'missing_scope';
  override readonly extra: { requiredScope: Scope };

  constructor(scope: Scope) {
    super(`The API key lacks the scope "${scope}". Use a key that has it.`);
    this.extra = { requiredScope: scope };
  }
}

/** The account of the key is suspended. */
export class AccountSuspendedError extends DomainError {
  readonly kind = 'forbidden';
  readonly code = 'account_suspended';

  constructor() {
    super('The account is suspended. Ask the operator of the service to activate it.');
  }
}

/** Too many requests of an account, or too many failed keys from an address. */
export class RateLimitedError extends DomainError {
  readonly kind = 'rate_limited';
  readonly code = 'rate_limited';

  constructor(
    message: string,
    override readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}

/** No account has this id. */
export class AccountNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'account_not_found';

  constructor() {
    super('There is no account with this id.');
  }
}

/** The account cannot send yet. */
export class AccountWithoutSenderError extends DomainError {
  readonly kind = 'unprocessable';
  readonly code = 'sender_missing';

  constructor() {
    super('The account has no sender yet. The operator of the service must give it a phone number of the platform.');
  }
}

/** Another account sends from this phone number of the platform. */
export class PhoneNumberTakenError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'phone_number_taken';

  constructor() {
    super('Another account has this phoneNumberId. A phone number of the platform belongs to one account.');
  }
}

/** The account that makes the request would lock itself out. */
export class OwnAccountError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'own_account';

  constructor() {
    super(
      'This request uses a key of this account, which would lock itself out. Use a key of another operator account.',
    );
  }
}

/** No key of the account has this id. */
export class ApiKeyNotFoundError extends DomainError {
  readonly kind = 'not_found';
  readonly code = 'api_key_not_found';

  constructor() {
    super('There is no api key with this id in your account.');
  }
}

/** The key that makes the request would lock itself out. */
export class KeyInUseError extends DomainError {
  readonly kind = 'conflict';
  readonly code = 'key_in_use';

  constructor() {
    super('This request uses this very key. Change its scopes, expiry or addresses, or revoke it, with another key.');
  }
}

/** Fields whose values only the service itself can judge. */
export class InvalidFieldsError extends DomainError {
  readonly kind = 'invalid';
  readonly code = 'validation_failed';

  constructor(override readonly faults: readonly FieldFault[]) {
    super(faults.map((fault) => fault.message).join(' '));
  }
}
