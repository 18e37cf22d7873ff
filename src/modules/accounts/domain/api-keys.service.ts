import { Injectable } from '@nestjs/common';
import { type Caller, type Scope, scopesInclude } from '../../../kernel/caller';
import { Clock } from '../../../kernel/clock';
import type { Page, PageRequest } from '../../../kernel/page';
import { uuidV7 } from '../../../kernel/uuid';
import { AccountStore } from './account-store.port';
import { AccountNotFoundError, ApiKeyNotFoundError, KeyInUseError, MissingScopeError } from './accounts.errors';
import { type ApiKey, type ApiKeyFields, type KeyProof, makeApiKey, proofOf } from './api-key';
import { ApiKeyStore } from './api-key-store.port';
import { KeyAuthentication } from './key-authentication.service';

/** A key and its secret, which is shown once. */
export interface IssuedKey {
  key: ApiKey;
  secret: string;
}

/**
 * The keys of an account. Nobody passes on more than they have: creating a key, or changing or rotating one, takes every
 * scope that it carries. The key of a request cannot lock itself out, so an account never loses its last way in.
 */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly store: ApiKeyStore,
    private readonly accounts: AccountStore,
    private readonly authentication: KeyAuthentication,
    private readonly clock: Clock,
  ) {}

  /** The keys that are not revoked, newest first. */
  page(accountId: string, request: PageRequest): Promise<Page<ApiKey>> {
    return this.store.page(accountId, request);
  }

  /** A new key for the caller's own account; MissingScopeError for a scope that the caller has not. */
  create(caller: Caller, fields: ApiKeyFields): Promise<IssuedKey> {
    requireAll(caller, fields.scopes);
    return this.issue(caller.accountId, fields);
  }

  /** A new key for any account, with any scopes: only for the operator. Throws AccountNotFoundError. */
  async createFor(accountId: string, fields: ApiKeyFields): Promise<IssuedKey> {
    if (!(await this.accounts.byId(accountId))) throw new AccountNotFoundError();
    return this.issue(accountId, fields);
  }

  /** Throws ApiKeyNotFoundError, MissingScopeError, and KeyInUseError for more than the name of the caller's own key. */
  async change(caller: Caller, id: string, change: Partial<ApiKeyFields>): Promise<ApiKey> {
    const key = await this.get(caller, id);
    const limits = [change.scopes, change.expiresAt, change.allowedIps];
    if (id === caller.keyId && limits.some((limit) => limit !== undefined)) throw new KeyInUseError();
    requireAll(caller, [...key.scopes, ...(change.scopes ?? [])]);
    await this.store.change(id, change);
    this.authentication.forget();
    return this.get(caller, id);
  }

  /** From now on only the new secret works. */
  async rotate(caller: Caller, id: string): Promise<IssuedKey> {
    requireAll(caller, (await this.get(caller, id)).scopes);
    const secret = await withFreePrefix((proof) => this.store.replaceProof(id, proof));
    this.authentication.forget();
    return { key: await this.get(caller, id), secret };
  }

  /** The key works no more: at once in this process, within 2 s in all. A key of more scopes than the caller's can be revoked too. */
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

  private async issue(accountId: string, fields: ApiKeyFields): Promise<IssuedKey> {
    const id = uuidV7();
    const secret = await withFreePrefix((proof) => this.store.add(id, accountId, fields, proof));
    const key = await this.store.byId(accountId, id);
    if (!key) throw new ApiKeyNotFoundError();
    return { key, secret };
  }
}

/** Makes keys until one has a prefix that nobody else has; one in four thousand million is taken by chance. */
async function withFreePrefix(store: (proof: KeyProof) => Promise<boolean>): Promise<string> {
  for (;;) {
    const secret = makeApiKey();
    if (await store(proofOf(secret))) return secret;
  }
}

function requireAll(caller: Caller, scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => !scopesInclude(caller.scopes, scope));
  if (missing) throw new MissingScopeError(missing);
}
