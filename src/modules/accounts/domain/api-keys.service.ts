import { Injectable } from '@nestjs/common';
import { UnauthorizedError } from '../../../kernel/access.errors';
import { type Caller, type Scope, SCOPES, scopesInclude } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest } from '../../../kernel/page';
import { UnitOfWork } from '../../../kernel/unit-of-work';
import { uuidV7 } from '../../../kernel/uuid';
import { AccountStore } from './account-store.port';
import { ApiKeyNotFoundError, BeyondOwnKeyError, KeyInUseError, QuotaExceededError } from './accounts.errors';
import { activeAccount, lockActiveAccount } from './active-account';
import { AddressRanges } from './address-ranges.port';
import { type ApiKey, type ApiKeyFields, type KeyProof, generateApiKey, proofOf } from './api-key';
import { type Actor, type AuditedAction, AuditLogService, serviceIn } from './audit-log.service';
import { ApiKeyStore } from './api-key-store.port';
import { KeyAuthentication } from './key-authentication';
import { Plans } from './plans';

/** The scope of operators, who see all accounts. */
const OPERATOR_SCOPE: Scope = 'accounts:manage';

/** A key and its secret, which is shown once. */
export interface IssuedKey {
  key: ApiKey;
  secret: string;
}

/**
 * The keys of an account. A key that a caller creates, changes or rotates cannot exceed the caller's own key in scopes, expiry and
 * allowed addresses. A key cannot lock itself out, so an account never loses its last key.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly store: ApiKeyStore,
    private readonly accounts: AccountStore,
    private readonly authentication: KeyAuthentication,
    private readonly ranges: AddressRanges,
    private readonly plans: Plans,
    private readonly audit: AuditLogService,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** The active keys, newest first. */
  async page(accountId: string, request: PageRequest): Promise<Page<ApiKey>> {
    const page = await this.store.page(accountId, request);
    return { ...page, items: page.items.map((key) => this.withoutExpiredOverlap(key)) };
  }

  /** The active keys of any account, newest first; only for the operator. Throws AccountNotFoundError. */
  async pageOf(accountId: string, request: PageRequest): Promise<Page<ApiKey>> {
    await activeAccount(this.accounts, accountId);
    return this.page(accountId, request);
  }

  /** The caller's own key. Throws ApiKeyNotFoundError if it has just been revoked. */
  own(caller: Caller): Promise<ApiKey> {
    return this.get(caller, caller.keyId);
  }

  /** Creates a key for the caller's own account. Throws BeyondOwnKeyError, QuotaExceededError. */
  async create(caller: Caller, fields: ApiKeyFields): Promise<IssuedKey> {
    await this.requireWithinOwnKey(caller, fields);
    return this.issue(caller, caller, fields);
  }

  /**
   * Creates a key for any account; only for the operator. A key of the operator's own account cannot exceed the operator's key; one
   * of another account may have all scopes except the operator's. Throws AccountNotFoundError, QuotaExceededError, BeyondOwnKeyError.
   */
  async createFor(caller: Caller, accountId: string, fields: ApiKeyFields): Promise<IssuedKey> {
    if (accountId === caller.accountId) await this.requireWithinOwnKey(caller, fields);
    else if (fields.scopes.includes(OPERATOR_SCOPE))
      throw new BeyondOwnKeyError(`${OPERATOR_SCOPE} is reserved for your own account`);
    const { plan } = await activeAccount(this.accounts, accountId);
    return this.issue(caller, { accountId, plan }, fields);
  }

  /**
   * Creates a key with all scopes in the first account, even beyond its quota: for an operator who has lost all keys. Throws
   * an Error before the first start.
   */
  async createForOperator(): Promise<IssuedKey> {
    const account = await this.accounts.first();
    if (!account)
      throw new Error('There is no account yet. Start the service once: its first start creates one, and its key.');
    const fields = { name: 'Created on the server', scopes: SCOPES, expiresAt: null, allowedIps: [] };
    return this.add(serviceIn(account.id), account.id, fields, Infinity);
  }

  /** Changes a key; without a field, nothing is done or recorded. Throws ApiKeyNotFoundError, BeyondOwnKeyError, and KeyInUseError for more than the name of the caller's own key. */
  async change(caller: Caller, id: string, change: Partial<ApiKeyFields>): Promise<ApiKey> {
    const key = await this.get(caller, id);
    if (Object.keys(change).length === 0) return key;
    const limits = [change.scopes, change.expiresAt, change.allowedIps];
    await this.requireWithinOwnKey(caller, { ...key, ...change, scopes: [...key.scopes, ...(change.scopes ?? [])] });
    if (id === caller.keyId && limits.some((limit) => limit !== undefined)) throw new KeyInUseError();
    await this.audited(caller, { action: 'key.changed', targetId: id, fields: Object.keys(change) }, () =>
      this.store.change(id, change),
    );
    return this.get(caller, id);
  }

  /**
   * Replaces the key's secret; the old one stays valid for `overlapSeconds`, if that is not 0. Throws ApiKeyNotFoundError,
   * BeyondOwnKeyError.
   */
  async rotate(caller: Caller, id: string, overlapSeconds: number): Promise<IssuedKey> {
    await this.requireWithinOwnKey(caller, await this.get(caller, id));
    const oldUntil = overlapSeconds > 0 ? new Date(this.clock.now().getTime() + overlapSeconds * 1000) : null;
    const fields = ['key', ...(oldUntil ? ['previousKeyValidUntil'] : [])];
    const secret = await this.audited(caller, { action: 'key.rotated', targetId: id, fields }, () =>
      withFreePrefix((proof) => this.store.replaceProof(id, proof, oldUntil)),
    );
    return { key: await this.get(caller, id), secret };
  }

  /** Revokes a key: immediately in this process, within 2 s in others. The caller needs none of the key's scopes. */
  async revoke(caller: Caller, id: string): Promise<void> {
    await this.revokeFor(caller, caller.accountId, id);
  }

  /** Revokes a key of any account; only for the operator. Throws ApiKeyNotFoundError, KeyInUseError. */
  async revokeFor(caller: Caller, accountId: string, id: string): Promise<void> {
    if (!(await this.store.byId(accountId, id))) throw new ApiKeyNotFoundError();
    if (id === caller.keyId) throw new KeyInUseError();
    await this.audited(caller, { action: 'key.revoked', targetId: id, accountId }, async () => {
      await this.accounts.lock(accountId);
      // Otherwise two keys that revoke each other at the same time would leave the account without any.
      if (!(await this.store.byId(caller.accountId, caller.keyId))) throw new UnauthorizedError();
      await this.store.revoke(id, this.clock.now());
    });
  }

  private async get(caller: Caller, id: string): Promise<ApiKey> {
    const key = await this.store.byId(caller.accountId, id);
    if (!key) throw new ApiKeyNotFoundError();
    return this.withoutExpiredOverlap(key);
  }

  /** The store keeps the end of an expired overlap. */
  private withoutExpiredOverlap(key: ApiKey): ApiKey {
    const { previousKeyValidUntil: until } = key;
    return until && until <= this.clock.now() ? { ...key, previousKeyValidUntil: null } : key;
  }

  private async requireWithinOwnKey(caller: Caller, fields: Omit<ApiKeyFields, 'name'>): Promise<void> {
    const missing = fields.scopes.find((scope) => !scopesInclude(caller.scopes, scope));
    if (missing) throw new BeyondOwnKeyError(`yours lacks the scope ${missing}`);
    const own = await this.own(caller);
    if (own.expiresAt && (!fields.expiresAt || fields.expiresAt > own.expiresAt)) {
      throw new BeyondOwnKeyError(`yours expires at ${own.expiresAt.toISOString()}`);
    }
    if (!this.ranges.areWithin(fields.allowedIps, own.allowedIps)) {
      throw new BeyondOwnKeyError(`yours may be used only from ${own.allowedIps.join(', ')}`);
    }
  }

  private async issue(
    caller: Caller,
    { accountId, plan }: Pick<Caller, 'accountId' | 'plan'>,
    fields: ApiKeyFields,
  ): Promise<IssuedKey> {
    return this.add(caller, accountId, fields, this.plans.of(plan).maxApiKeys);
  }

  private async add(actor: Actor, accountId: string, fields: ApiKeyFields, maxApiKeys: number): Promise<IssuedKey> {
    const id = uuidV7();
    const action = { action: 'key.created', targetId: id, accountId, fields: Object.keys(fields) } as const;
    const secret = await this.audited(actor, action, async () => {
      await lockActiveAccount(this.accounts, accountId);
      const { totalCount } = await this.store.page(accountId, { page: 1, pageSize: 1 });
      if (totalCount >= maxApiKeys) throw new QuotaExceededError('maxApiKeys', maxApiKeys);
      return withFreePrefix((proof) => this.store.add(id, accountId, fields, proof));
    });
    const key = await this.store.byId(accountId, id);
    if (!key) throw new ApiKeyNotFoundError();
    return { key, secret };
  }

  /** Runs `work` and writes its audit entry in one transaction, then clears the cache of keys. */
  private async audited<T>(actor: Actor, action: AuditedAction, work: () => Promise<T>): Promise<T> {
    const result = await this.unitOfWork.run(async () => {
      await this.audit.record(actor, action);
      return work();
    });
    this.authentication.forget();
    return result;
  }
}

/** Generates keys until one has an unused prefix; a collision has a probability of 1 in 4 billion. */
async function withFreePrefix(store: (proof: KeyProof) => Promise<boolean>): Promise<string> {
  for (;;) {
    const secret = generateApiKey();
    if (await store(proofOf(secret))) return secret;
  }
}
