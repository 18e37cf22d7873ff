import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { Database } from '../../../infra/database/database';
import type { Page, PageRequest } from '../../../kernel/page';
import type { ApiKey, ApiKeyFields, KeyProof } from '../domain/api-key';
import { ApiKeyStore, type StoredKey } from '../domain/api-key-store.port';
import { ApiKeyEntity } from './api-key.entity';

/** A key with the presented prefix. */
interface KeyRow extends ApiKey, Omit<StoredKey, 'key'> {
  presented: string;
}

/** Runs for each request with a key that this process has not read in the last seconds: `find` takes more than twice the processor time. */
const BY_PREFIX = `
  SELECT k.presented, k.id, k.account_id AS "accountId", k.name, k.prefix, k.scopes, k.allowed_ips AS "allowedIps", k.expires_at AS "expiresAt",
    k.last_used_at AS "lastUsedAt", k.created_at AS "createdAt", k.previous_valid_until AS "previousKeyValidUntil", k.hash AS "secretHash",
    k.secret_valid_until AS "secretValidUntil", a.plan, a.status AS "accountStatus"
  FROM (
    SELECT prefix AS presented, secret_hash AS hash, NULL::timestamptz AS secret_valid_until, * FROM api_keys WHERE prefix = ANY($1)
    UNION ALL
    SELECT previous_prefix, previous_secret_hash, previous_valid_until, * FROM api_keys
    WHERE previous_prefix = ANY($1) AND previous_secret_hash IS NOT NULL AND previous_valid_until IS NOT NULL
  ) k JOIN accounts a ON a.id = k.account_id
  WHERE k.revoked_at IS NULL`;

/** Stores API keys. */
@Injectable()
export class TypeOrmApiKeyStore extends ApiKeyStore {
  constructor(private readonly database: Database) {
    super();
  }

  async add(id: string, accountId: string, fields: ApiKeyFields, { prefix, secretHash }: KeyProof): Promise<boolean> {
    const { name, scopes, allowedIps, expiresAt } = fields;
    const { affected } = await this.database.execute(
      `INSERT INTO api_keys (id, account_id, name, prefix, secret_hash, scopes, allowed_ips, expires_at, created_at)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
       WHERE NOT EXISTS (SELECT FROM api_keys WHERE previous_prefix = $4)
       ON CONFLICT (prefix) DO NOTHING`,
      [id, accountId, name, prefix, secretHash, scopes, allowedIps, expiresAt, new Date()],
    );
    return affected === 1;
  }

  async page(accountId: string, { page, pageSize }: PageRequest): Promise<Page<ApiKey>> {
    const [rows, totalCount] = await this.keys().findAndCount({
      where: { accountId, revokedAt: IsNull() },
      order: { createdAt: 'DESC', id: 'DESC' },
      skip: (page - 1) * pageSize,
      take: pageSize,
    });
    return { items: rows.map(keyOf), page, pageSize, totalCount };
  }

  async byId(accountId: string, id: string): Promise<ApiKey | null> {
    const row = await this.keys().findOneBy({ id, accountId, revokedAt: IsNull() });
    return row && keyOf(row);
  }

  async change(id: string, { scopes, allowedIps, ...change }: Partial<ApiKeyFields>): Promise<void> {
    const columns = {
      ...change,
      ...(scopes && { scopes: [...scopes] }),
      ...(allowedIps && { allowedIps: [...allowedIps] }),
    };
    if (Object.keys(columns).length > 0) await this.keys().update({ id, revokedAt: IsNull() }, columns);
  }

  async replaceProof(id: string, { prefix, secretHash }: KeyProof, oldUntil: Date | null): Promise<boolean> {
    const { affected } = await this.database.execute(
      `UPDATE api_keys SET prefix = $2, secret_hash = $3, previous_valid_until = $4,
         previous_prefix = CASE WHEN $4::timestamptz IS NOT NULL THEN prefix END,
         previous_secret_hash = CASE WHEN $4::timestamptz IS NOT NULL THEN secret_hash END
       WHERE id = $1 AND NOT EXISTS (
         SELECT FROM api_keys AS other WHERE other.prefix = $2 OR other.previous_prefix = $2)`,
      [id, prefix, secretHash, oldUntil],
    );
    return affected === 1;
  }

  async revoke(id: string, at: Date): Promise<void> {
    await this.keys().update({ id, revokedAt: IsNull() }, { revokedAt: at });
  }

  async byPrefixes(prefixes: readonly string[]): Promise<(StoredKey | null)[]> {
    const rows = await this.database.rows<KeyRow>(BY_PREFIX, [prefixes]);
    const found = new Map(
      rows.map(({ presented, plan, accountStatus, secretHash, secretValidUntil, ...key }) => [
        presented,
        { key, plan, accountStatus, secretHash, secretValidUntil },
      ]),
    );
    return prefixes.map((prefix) => found.get(prefix) ?? null);
  }

  async markUsed(id: string, at: Date): Promise<void> {
    await this.database.execute(
      `UPDATE api_keys SET last_used_at = $2::timestamptz
       WHERE id = $1 AND (last_used_at IS NULL OR last_used_at <= $2::timestamptz - interval '1 minute')`,
      [id, at],
    );
  }

  private keys() {
    return this.database.repository(ApiKeyEntity);
  }
}

function keyOf(row: ApiKeyEntity): ApiKey {
  const { id, accountId, name, prefix, scopes, allowedIps, expiresAt, lastUsedAt, createdAt } = row;
  const shown = { id, accountId, name, prefix, scopes, allowedIps, expiresAt, lastUsedAt, createdAt };
  return { ...shown, previousKeyValidUntil: row.previousValidUntil };
}
