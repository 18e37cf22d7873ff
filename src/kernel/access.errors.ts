import { type Scope, SCOPES } from './caller';
import { domainError } from './domain-error';

/** The advice for a request without a key whose `Authorization` header has one. */
export const KEY_IN_AUTHORIZATION =
  'The request has an Authorization header, which is not read. Send the key in the X-API-Key header.';

/** The key is missing, unknown, expired, revoked or used from an address outside its allowed ranges. */
export class UnauthorizedError extends domainError({
  code: 'unauthorized',
  kind: 'unauthenticated',
  when: 'The API key is missing, unknown, expired, revoked or not allowed from this address.',
  remedy: 'Send a valid key in the `X-API-Key` header.',
}) {
  constructor(message = 'The request has no valid API key. Send a valid key in the X-API-Key header.') {
    super(message);
  }
}

/** The key is valid but lacks a scope. */
export class MissingScopeError extends domainError({
  code: 'missing_scope',
  kind: 'forbidden',
  when: 'The key lacks the scope.',
  remedy: 'Use a key with the scope in `requiredScope`.',
  extra: {
    requiredScope: { type: 'string', enum: SCOPES, description: 'the scope', example: 'messaging:send' },
  },
}) {
  override readonly extra: { requiredScope: Scope };

  constructor(scope: Scope) {
    super(`The API key lacks the scope "${scope}". Use a key that has it.`);
    this.extra = { requiredScope: scope };
  }
}

/** The account of the key is suspended. */
export class AccountSuspendedError extends domainError({
  code: 'account_suspended',
  kind: 'forbidden',
  when: 'The operator suspended the account.',
  remedy: 'Ask the operator of the service to activate the account.',
}) {
  constructor() {
    super('The account is suspended. Ask the operator of the service to activate it.');
  }
}

/** Too many requests of an account, or too many invalid keys or signatures from an address. */
export class RateLimitedError extends domainError({
  code: 'rate_limited',
  kind: 'rate_limited',
  when: 'The request rate of the plan is exceeded, or too many invalid keys or signatures came from this address.',
  remedy: 'Wait `retryAfter` seconds, then send the request again. Spread requests evenly, or choose a larger plan.',
  extra: { retryAfter: { type: 'integer', description: 'seconds to wait', example: 1 } },
}) {
  constructor(
    message: string,
    override readonly retryAfterSeconds: number,
  ) {
    super(message);
  }
}
