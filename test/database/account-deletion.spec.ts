import { Readable } from 'node:stream';
import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';
import { RetentionParts } from '../support/retention-parts';
import { SqlSendingTables } from '../support/sending-tables';

const TABLES = `
SELECT c.table_name AS name FROM information_schema.columns c
JOIN pg_class t ON t.oid = c.table_name::regclass AND NOT t.relispartition AND t.relkind IN ('r', 'p')
WHERE c.table_schema = 'public' AND c.column_name = 'account_id' ORDER BY 1`;

/** A row of each of these tables of an account; $1 account, $2 a new id, $3 a job. */
const ROWS = {
  api_keys: `INSERT INTO api_keys (id, account_id, name, prefix, secret_hash, scopes) VALUES ($2::uuid, $1, '', $2::uuid::text, '', '{}')`,
  idempotency_keys: `INSERT INTO idempotency_keys (account_id, endpoint, key, fingerprint, claim_token, lease_until, resource_id)
    VALUES ($1, '', $2::uuid::text, '', $2::uuid, now(), $2::uuid)`,
  contacts: `INSERT INTO contacts (id, account_id, phone, phone_key) VALUES ($2::uuid, $1, '491', $2::uuid::text)`,
  contact_groups: `INSERT INTO contact_groups (id, account_id, name) VALUES ($2::uuid, $1, $2::uuid::text)`,
  quick_replies: `INSERT INTO quick_replies (id, account_id, name, text) VALUES ($2::uuid, $1, $2::uuid::text, '')`,
  opt_outs: `INSERT INTO opt_outs (account_id, person, phone, source) VALUES ($1, $2::uuid::text, '491', 'Api')`,
  erasures: `INSERT INTO erasures (id, account_id, phone, requested_at, due_at) VALUES ($2::uuid, $1, '491', now(), now())`,
  conversations: `INSERT INTO conversations (id, account_id, last_message_id, last_message_at, last_direction)
    VALUES ($2::uuid, $1, $2::uuid, now(), 'Inbound')`,
  messages: `INSERT INTO messages (id, account_id, direction, type, status, job_id, created_at)
    VALUES ($2::uuid, $1, 'Inbound', 'Image', 'Received', $3, now())`,
  inbound_media: `INSERT INTO inbound_media (message_id, account_id, platform_media_id, received_at, state)
    SELECT id, $1, '1', now(), 'Stored' FROM messages WHERE account_id = $1 AND $2::uuid IS NOT NULL LIMIT 1 ON CONFLICT DO NOTHING`,
};

describeOnDatabase('The deletion of an account', (open) => {
  let database: Database;
  let parts: RetentionParts;

  beforeAll(async () => {
    database = await open();
    parts = new RetentionParts(database);
  });

  /** An account that has rows of every kind, more than one step deletes. */
  async function fullAccount(): Promise<SqlSendingTables> {
    const tables = new SqlSendingTables(database);
    await tables.addSender();
    const jobs = [await tables.addJob(1200), await tables.addJob(3)];
    await tables.addSingle();
    for (const sql of Object.values(ROWS)) {
      for (let n = 0; n < 3; n++) {
        const names = [tables.accountId, uuidV7(), jobs[0]].slice(0, sql.includes('$3') ? 3 : 2);
        await database.execute(sql, names);
      }
    }
    return tables;
  }

  const deletedSince = (accountId: string, seconds: number) =>
    database.execute(
      `UPDATE accounts SET status = 'Deleting', updated_at = now() - make_interval(secs => $2) WHERE id = $1`,
      [accountId, seconds],
    );

  /** The number of rows of an account in each table that has any. */
  async function rowsOf({ accountId, senderId }: SqlSendingTables): Promise<Record<string, number>> {
    const names = (await database.rows<{ name: string }>(TABLES, [])).map(({ name }) => name);
    const counts: Record<string, number> = {};
    const count = async (table: string, condition: string, id: string) => {
      const [row] = await database.rows<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${condition}`, [
        id,
      ]);
      if (row!.n > 0) counts[table] = row!.n;
    };
    for (const name of names) await count(name, 'account_id = $1', accountId);
    await count('accounts', 'id = $1', accountId);
    await count('single_sends', 'sender_id = $1', senderId);
    await count('job_recipients', 'job_id IN (SELECT id FROM bulk_jobs WHERE account_id = $1)', accountId);
    return counts;
  }

  it('leaves no row of it in any table, and those of others as they are', async () => {
    const [gone, kept] = [await fullAccount(), await fullAccount()];
    const before = await rowsOf(kept);
    expect(Object.keys(await rowsOf(gone))).toEqual(
      expect.arrayContaining([...Object.keys(ROWS), 'bulk_jobs', 'templates']),
    );
    const jobs = await database.rows<{ id: string }>('SELECT id FROM bulk_jobs WHERE account_id = $1', [
      gone.accountId,
    ]);
    await deletedSince(gone.accountId, 130);
    await parts.round();

    // The file of a message is deleted after its row.
    expect(Object.keys(await rowsOf(gone)).filter((name) => name !== 'inbound_media')).toEqual([]);
    const ids = jobs.map(({ id }) => id);
    expect(await database.rows('SELECT 1 FROM job_recipients WHERE job_id = ANY($1::uuid[])', [ids])).toEqual([]);
    expect(await rowsOf(kept)).toEqual(before);
  });

  it('begins when the last responses of the platform are recorded, without waiting for the next round', async () => {
    const tables = await fullAccount();
    const before = await rowsOf(tables);
    await deletedSince(tables.accountId, 60);
    await parts.round();
    expect(await rowsOf(tables)).toEqual(before);

    await deletedSince(tables.accountId, 130);
    await parts.retention.round(new AbortController().signal);
    expect((await rowsOf(tables)).accounts).toBeUndefined();
  });

  it('can be preceded by an export of everything, without secrets, in pages of any size', async () => {
    const tables = await fullAccount();
    const [{ id: message }] = (await database.rows<{ id: string }>(
      `SELECT message_id AS id FROM inbound_media WHERE account_id = $1`,
      [tables.accountId],
    )) as [{ id: string }];
    const deleted = uuidV7();
    await database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id, is_default, deleted_at)
       VALUES ($1::uuid, $2, $1::text, '2', false, '2026-11-20T19:15:00Z')`,
      [deleted, tables.accountId],
    );
    await database.execute(
      `INSERT INTO audit_log (id, account_id, actor_account_id, key_prefix, action, target_id, fields, created_at, key_name)
       VALUES ($1::uuid, $2, $2, 'mta', 'sender.deleted', $1::uuid, '{}', now(), 'Back office')`,
      [deleted, tables.accountId],
    );
    await parts.files.put(message, Readable.from([Buffer.from('picture')]));
    const files = new Map<string, string>();
    for await (const { file, data } of parts.archive.pieces(tables.accountId)) {
      files.set(file, (files.get(file) ?? '') + (typeof data === 'string' ? data : Buffer.from(data).toString()));
    }
    const rows = (name: string) =>
      files
        .get(name)!
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const counts = [...files.keys()].filter((name) => name.endsWith('.jsonl')).map((name) => [name, rows(name).length]);
    expect(Object.fromEntries(counts)).toEqual({
      ...{ 'account.jsonl': 1, 'senders.jsonl': 2, 'api-keys.jsonl': 3, 'audit-log.jsonl': 1, 'templates.jsonl': 1 },
      ...{ 'groups.jsonl': 3, 'contacts.jsonl': 3, 'opt-outs.jsonl': 3, 'jobs.jsonl': 2, 'recipients.jsonl': 1203 },
      ...{ 'messages.jsonl': 3, 'conversations.jsonl': 3, 'quick-replies.jsonl': 3, 'webhook-endpoints.jsonl': 0 },
    });
    expect(
      new Set(rows('recipients.jsonl').map(({ jobId, position }) => `${String(jobId)} ${String(position)}`)).size,
    ).toBe(1203);
    expect(files.get(`media/${message}`)).toBe('picture');
    expect(rows('senders.jsonl')).toMatchObject([
      { default: true, deletedAt: null },
      { id: deleted, default: false, deletedAt: '2026-11-20T19:15:00+00:00' },
    ]);
    expect(rows('audit-log.jsonl')).toMatchObject([
      { action: 'sender.deleted', keyPrefix: 'mta', keyName: 'Back office' },
    ]);
    expect(rows('conversations.jsonl')[0]).toHaveProperty('senderId');
    expect(rows('templates.jsonl')).toMatchObject([{ businessAccountId: expect.any(String) as string }]);
    expect([...files.values()].join('')).not.toMatch(/secret|encrypted|hash/i);
    await expect(parts.archive.pieces(uuidV7()).next()).rejects.toMatchObject({ code: 'account_not_found' });
  });

  it('continues after each step where another process stopped', async () => {
    const tables = await fullAccount();
    await deletedSince(tables.accountId, 130);
    let steps = 0;
    // Each step by another process.
    while ((await rowsOf(tables)).accounts) {
      const other = new RetentionParts(database);
      expect((await other.deletion.step(null, 500)).next).toBe(tables.accountId);
      steps++;
    }
    expect(steps).toBeGreaterThan(8);
    expect(await parts.deletion.step(null, 500)).toEqual({ deleted: 0, next: null });
  });
});
