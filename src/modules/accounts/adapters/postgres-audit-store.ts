import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { Slice } from '../../../kernel/page';
import { encodeCursor, type TimeCursor } from '../../../kernel/time-cursor';
import type { AuditEntry, AuditFilter, NewAuditEntry } from '../domain/audit-entry';
import { AuditStore } from '../domain/audit-store.port';

const ADD = `
INSERT INTO audit_log (id, account_id, actor_account_id, key_prefix, address, action, target_id, fields, created_at, key_name)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, (SELECT name FROM api_keys WHERE id = $10))`;

const COLUMNS = `id, account_id AS "accountId", actor_account_id AS "actorAccountId", key_prefix AS "keyPrefix", key_name AS "keyName", address, action,
  target_id AS "targetId", fields, created_at AS "createdAt",
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at`;

const IN_RANGE = `(created_at, id) < ($1::timestamptz, $2::uuid)
  AND created_at >= COALESCE($4::timestamptz, '-infinity') AND created_at < COALESCE($5::timestamptz, 'infinity')
  AND action = COALESCE($6, action) AND ($7::text IS NULL OR key_prefix = $7) AND ($8::uuid IS NULL OR target_id = $8)`;

const OF_ACCOUNT = `
SELECT ${COLUMNS} FROM audit_log
WHERE account_id = $9 AND ${IN_RANGE}
ORDER BY created_at DESC, id DESC LIMIT $3`;

const OF_ALL = `
SELECT ${COLUMNS} FROM audit_log
WHERE ${IN_RANGE}
ORDER BY created_at DESC, id DESC LIMIT $3`;

const REMOVE = `
WITH old AS (SELECT ctid FROM audit_log WHERE created_at < $1 ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED),
  gone AS (DELETE FROM audit_log WHERE ctid = ANY(ARRAY(SELECT ctid FROM old)) RETURNING 1)
SELECT count(*)::int AS deleted FROM gone`;

/** Precedes every entry, newest first. */
const START: TimeCursor = { at: 'infinity', id: 'ffffffff-ffff-ffff-ffff-ffffffffffff' };

/** Stores the audit log in the table `audit_log`. */
@Injectable()
export class PostgresAuditStore extends AuditStore {
  constructor(private readonly database: Database) {
    super();
  }

  async add(entry: NewAuditEntry): Promise<void> {
    const { id, accountId, actorAccountId, keyId, keyPrefix, address, action, targetId, fields, createdAt } = entry;
    await this.database.execute(ADD, [
      ...[id, accountId, actorAccountId, keyPrefix, address],
      ...[action, targetId, fields, createdAt, keyId],
    ]);
  }

  async slice(filter: AuditFilter, after: TimeCursor | null, limit: number): Promise<Slice<AuditEntry>> {
    const { accountId, createdAfter = null, createdBefore = null } = filter;
    const { action = null, keyPrefix = null, targetId = null } = filter;
    const { at, id } = after ?? START;
    const page = [at, id, limit + 1, createdAfter, createdBefore, action, keyPrefix, targetId];
    const rows = await (accountId === null
      ? this.database.rows<AuditEntry & { at: string }>(OF_ALL, page)
      : this.database.rows<AuditEntry & { at: string }>(OF_ACCOUNT, [...page, accountId]));
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      items: rows.slice(0, limit).map(({ at: _, ...entry }) => entry),
      nextCursor: last ? encodeCursor(last) : null,
    };
  }

  async removeBefore(before: Date, limit: number): Promise<number> {
    const [row] = await this.database.rows<{ deleted: number }>(REMOVE, [before, limit]);
    return row?.deleted ?? 0;
  }
}
