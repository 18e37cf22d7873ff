import { Injectable } from '@nestjs/common';
import { type Caller, type Scope, scopesInclude } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest } from '../../../kernel/page';
import { uuidV7 } from '../../../kernel/uuid';
import { AccountStore } from './account-store.port';
import { AccountNotFoundError, ApiKeyNotFoundError, BeyondOwnKeyError, KeyInUseError } from './accounts.errors';
import { AddressRanges } from './address-ranges.port';
import { type ApiKey, type ApiKeyFields, type KeyProof, makeApiKey, proofOf } from './api-key';
import { ApiKeyStore } from './api-key-store.port';
import { KeyAuthentication } from './key-authentication.service';

/** The scope of operators, who see all accounts. */
const OPERATOR: Scope = 'accounts:manage';

/** A key and its secret, which is shown once. */
export interface IssuedKey {
  key: ApiKey;
  secret: string;
}

/**
 * The keys of an account. No caller can grant more than it has: a key that it creates, changes or rotates lies within its own key, in
 * scopes, expiry and allowed addresses. A key cannot lock itself out, so an account never loses its last key.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly store: ApiKeyStore,
    private readonly accounts: AccountStore,
    private readonly authentication: KeyAuthentication,
    private readonly ranges: AddressRanges,
    private readonly clock: Clock,
  ) {}

  /** The active keys, newest first. */
  page(accountId: string, request: PageRequest): Promise<Page<ApiKey>> {
    return this.store.page(accountId, request);
  }

  /** Creates a key for the caller's own account. Throws BeyondOwnKeyError. */
  async create(caller: Caller, fields: ApiKeyFields): Promise<IssuedKey> {
    await this.requireWithin(caller, fields);
    return this.issue(caller.accountId, fields);
  }

  /**
   * Creates a key for any account, with any scopes; only for the operator. Throws AccountNotFoundError, and BeyondOwnKeyError if the
   * operator could use the key in place of its own, and that beyond its expiry or its addresses.
   */
  async createFor(caller: Caller, accountId: string, fields: ApiKeyFields): Promise<IssuedKey> {
    if (accountId === caller.accountId || fields.scopes.includes(OPERATOR))
      await this.requireSameLimits(caller, fields);
    if (!(await this.accounts.byId(accountId))) throw new AccountNotFoundError();
    return this.issue(accountId, fields);
  }

  /** Changes a key. Throws ApiKeyNotFoundError, BeyondOwnKeyError, and KeyInUseError for more than the name of the caller's own key. */
  async change(caller: Caller, id: string, change: Partial<ApiKeyFields>): Promise<ApiKey> {
    const key = await this.get(caller, id);
    const limits = [change.scopes, change.expiresAt, change.allowedIps];
    if (id === caller.keyId && limits.some((limit) => limit !== undefined)) throw new KeyInUseError();
    await this.requireWithin(caller, { ...key, ...change, scopes: [...key.scopes, ...(change.scopes ?? [])] });
    await this.store.change(id, change);
    this.authentication.forget();
    return this.get(caller, id);
  }

  /** Replaces the key's secret; the old one becomes invalid. Throws ApiKeyNotFoundError, BeyondOwnKeyError. */
  async rotate(caller: Caller, id: string): Promise<IssuedKey> {
    await this.requireWithin(caller, await this.get(caller, id));
    const secret = await withFreePrefix((proof) => this.store.replaceProof(id, proof));
    this.authentication.forget();
    return { key: await this.get(caller, id), secret };
  }

  /** Revokes a key: at once in this process, within 2 s in the others. The caller needs none of the key's scopes. */
  async revoke(caller: Caller, id: string): Promise<void> {
    await this.get(caller, id);
    if (id === caller.keyId) throw new KeyInUseError();
    await this.store.revoke(id, this.clock.now());
    this.authentication.forget();
  }

  private async get(caller: Caller, id: string): Promise<ApiKey> {
    const key = await this.store.byId(caller.accountId, id);
    if (!key) throw new ApiKeyNotFoundError();
    return key;
  }

  private async requireWithin(caller: Caller, fields: Omit<ApiKeyFields, 'name'>): Promise<void> {
    const missing = fields.scopes.find((scope) => !scopesInclude(caller.scopes, scope));
    if (missing) throw new BeyondOwnKeyError(`yours lacks the scope ${missing}`);
    await this.requireSameLimits(caller, fields);
  }

  private async requireSameLimits(
    caller: Caller,
    fields: Pick<ApiKeyFields, 'expiresAt' | 'allowedIps'>,
  ): Promise<void> {
    const own = await this.get(caller, caller.keyId);
    if (own.expiresAt && (!fields.expiresAt || fields.expiresAt > own.expiresAt)) {
      throw new BeyondOwnKeyError(`yours expires at ${own.expiresAt.toISOString()}`);
    }
    if (!this.ranges.areWithin(fields.allowedIps, own.allowedIps)) {
      throw new BeyondOwnKeyError(`yours may be used only from ${own.allowedIps.join(', ')}`);
    }
  }

  private async issue(accountId: string, fields: ApiKeyFields): Promise<IssuedKey> {
    const id = uuidV7();
    const secret = await withFreePrefix((proof) => this.store.add(id, accountId, fields, proof));
    const key = await this.store.byId(accountId, id);
    if (!key) throw new ApiKeyNotFoundError();
    return { key, secret };
  }
}

/** Generates keys until one has an unused prefix; a collision has a chance of one in four thousand million. */
async function withFreePrefix(store: (proof: KeyProof) => Promise<boolean>): Promise<string> {
  for (;;) {
    const secret = makeApiKey();
    if (await store(proofOf(secret))) return secret;
  }
}
