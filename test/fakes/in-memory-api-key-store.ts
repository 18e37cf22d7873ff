import type { Page, PageRequest } from '../../src/kernel/page';
import type { AccountStore } from '../../src/modules/accounts/domain/account-store.port';
import type { ApiKey, ApiKeyFields, KeyProof } from '../../src/modules/accounts/domain/api-key';
import { ApiKeyStore, type StoredKey } from '../../src/modules/accounts/domain/api-key-store.port';

type KeyRow = ApiKey & KeyProof & { revokedAt: Date | null; previous?: (KeyProof & { until: Date }) | undefined };

/** API keys in memory; `reads` counts lookups by prefix. */
export class InMemoryApiKeyStore extends ApiKeyStore {
  reads = 0;
  private readonly rows: KeyRow[] = [];

  constructor(private readonly accounts: AccountStore) {
    super();
  }

  add(id: string, accountId: string, fields: ApiKeyFields, proof: KeyProof): Promise<boolean> {
    if (this.isPrefixTaken(proof.prefix)) return Promise.resolve(false);
    const never = { lastUsedAt: null, previousKeyValidUntil: null, revokedAt: null };
    this.rows.push({ id, accountId, ...fields, ...proof, ...never, createdAt: new Date() });
    return Promise.resolve(true);
  }

  page(accountId: string, { page, pageSize }: PageRequest): Promise<Page<ApiKey>> {
    const all = this.live()
      .filter((row) => row.accountId === accountId)
      .reverse()
      .map(shown);
    return Promise.resolve({
      items: all.slice((page - 1) * pageSize, page * pageSize),
      page,
      pageSize,
      totalCount: all.length,
    });
  }

  byId(accountId: string, id: string): Promise<ApiKey | null> {
    const row = this.live().find((one) => one.id === id && one.accountId === accountId);
    return Promise.resolve(row ? shown(row) : null);
  }

  change(id: string, change: Partial<ApiKeyFields>): Promise<void> {
    for (const row of this.live()) if (row.id === id) Object.assign(row, change);
    return Promise.resolve();
  }

  replaceProof(id: string, proof: KeyProof, oldUntil: Date | null): Promise<boolean> {
    const row = this.live().find((one) => one.id === id);
    if (!row || this.isPrefixTaken(proof.prefix)) return Promise.resolve(false);
    const { prefix, secretHash } = row;
    Object.assign(row, proof, { previous: oldUntil ? { prefix, secretHash, until: oldUntil } : undefined });
    return Promise.resolve(true);
  }

  revoke(id: string, at: Date): Promise<void> {
    for (const row of this.live()) if (row.id === id) row.revokedAt = at;
    return Promise.resolve();
  }

  byPrefixes(prefixes: readonly string[]): Promise<(StoredKey | null)[]> {
    this.reads += 1;
    return Promise.all(prefixes.map((prefix) => this.withPrefix(prefix)));
  }

  private async withPrefix(prefix: string): Promise<StoredKey | null> {
    const row = this.live().find((one) => one.prefix === prefix || one.previous?.prefix === prefix);
    const account = row && (await this.accounts.byId(row.accountId));
    if (!row || !account) return null;
    const { secretHash, until: secretValidUntil } =
      row.prefix === prefix ? { ...row, until: null } : { ...row.previous!, until: row.previous!.until };
    return { key: shown(row), secretHash, secretValidUntil, plan: account.plan, accountStatus: account.status };
  }

  markUsed(id: string, at: Date): Promise<void> {
    for (const row of this.rows) {
      if (row.id === id && (!row.lastUsedAt || at.getTime() - row.lastUsedAt.getTime() >= 60_000)) row.lastUsedAt = at;
    }
    return Promise.resolve();
  }

  private live(): KeyRow[] {
    return this.rows.filter((row) => !row.revokedAt);
  }

  private isPrefixTaken(prefix: string): boolean {
    return this.rows.some((row) => row.prefix === prefix || row.previous?.prefix === prefix);
  }
}

function shown(row: KeyRow): ApiKey {
  const { id, accountId, name, prefix, scopes, allowedIps, expiresAt, lastUsedAt, createdAt, previous } = row;
  const key = { id, accountId, name, prefix, scopes, allowedIps, expiresAt, lastUsedAt, createdAt };
  return { ...key, previousKeyValidUntil: previous?.until ?? null };
}
