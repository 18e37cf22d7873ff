import type { Database } from '../../src/infra/database/database';
import { FIRST_PHONE, inSteps, uuidAt } from './grown-history';

const DAY_MS = 86_400_000;

/** Records of an account beside its messages, jobs and contacts. */
export interface GrownBooks {
  optOuts: number;
  auditEntries: number;
  /** Members of one group; the account has as many contacts at least. */
  members: number;
  groups: number;
  /** Attempts of today in the log of one webhook endpoint. */
  deliveries: number;
}

/** The group with all members and the endpoint with all deliveries. */
export interface BookIds {
  groupId: string;
  endpointId: string;
}

/** Fills the tables of opt-outs, audit entries, groups and webhook deliveries. */
export async function addBooks(database: Database, accountId: string, books: GrownBooks): Promise<BookIds> {
  await inSteps(books.optOuts, async (from, to) => {
    await database.execute(
      `INSERT INTO opt_outs (account_id, person, phone, source, created_at, stop_at)
       SELECT $1::uuid, phone, phone, 'Keyword', at, at
       FROM generate_series($2::int, $3::int) AS n, LATERAL (
         SELECT (${FIRST_PHONE} + n * 10)::text AS phone, now() - n * interval '1 minute' AS at) p`,
      [accountId, from, to],
    );
  });
  await inSteps(books.auditEntries, async (from, to) => {
    await database.execute(
      `INSERT INTO audit_log (id, account_id, actor_account_id, key_prefix, key_name, action, target_id, fields, created_at)
       SELECT ${uuidAt('(extract(epoch FROM at) * 1000)::bigint', `('audit' || n)`)}, $1::uuid, $1::uuid, 'msg_' || n % 20, 'Shop ' || n % 20,
         CASE n % 500 WHEN 0 THEN 'key.created' ELSE 'job.created' END, ${uuidAt('n::bigint', `('target' || n)`)}, '{}', at
       FROM generate_series($2::int, $3::int) AS n, LATERAL (SELECT now() - n * interval '10 seconds' AS at) t`,
      [accountId, from, to],
    );
  });
  return { groupId: await addGroups(database, accountId, books), endpointId: await addLog(database, accountId, books) };
}

/** Reports one message in a thousand of a job as undeliverable; `people`: its recipients. */
export async function addFailures(database: Database, jobId: string, people: number): Promise<void> {
  let undelivered = 0;
  await inSteps(Math.ceil(people / 1000), async (from, to) => {
    // With IN, the planner reads all messages as long as the new partitions have no statistics.
    const { affected } = await database.execute(
      `UPDATE messages SET status = 'Undelivered', failed_at = created_at, problem = 'undeliverable' WHERE id = ANY(ARRAY(
         SELECT message_id FROM job_recipients WHERE job_id = $1 AND position = ANY(ARRAY(
           SELECT n * 1000 + 1 FROM generate_series($2::int - 1, $3::int - 1) n))))`,
      [jobId, from, to],
    );
    undelivered += affected;
  });
  await database.execute('UPDATE bulk_jobs SET undelivered = $2 WHERE id = $1', [jobId, undelivered]);
}

async function addGroups(database: Database, accountId: string, { groups, members }: GrownBooks): Promise<string> {
  await inSteps(groups, async (from, to) => {
    await database.execute(
      `INSERT INTO contact_groups (id, account_id, name, contact_count)
       SELECT ${uuidAt('n::bigint', `('group' || n)`)}, $1::uuid, 'Customers ' || n, CASE n WHEN 1 THEN $4::int ELSE 0 END
       FROM generate_series($2::int, $3::int) AS n`,
      [accountId, from, to, members],
    );
  });
  const [group] = await database.rows<{ id: string }>(
    `SELECT id FROM contact_groups WHERE account_id = $1 AND name = 'Customers 1'`,
    [accountId],
  );
  await inSteps(members, async (from, to) => {
    await database.execute(
      `INSERT INTO contact_group_members (group_id, contact_id)
       SELECT $1::uuid, id FROM contacts WHERE account_id = $2 AND phone_key IN (
         SELECT (${FIRST_PHONE} + n)::text FROM generate_series($3::int, $4::int) AS n)`,
      [group!.id, accountId, from, to],
    );
  });
  return group!.id;
}

async function addLog(database: Database, accountId: string, { deliveries }: GrownBooks): Promise<string> {
  const [endpoint] = await database.rows<{ id: string }>(
    `INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, disabled_reason, secret_encrypted)
     VALUES (gen_random_uuid(), $1, 'https://shop.example/hook', '{message.sent}', 100, 'Disabled', 'Requested', '') RETURNING id`,
    [accountId],
  );
  // The log has a partition for each day (UTC), and the service has made that of today.
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const deliveredAt = `LATERAL (SELECT (${midnight} + ${Date.now() - midnight}::float8 * n / ${deliveries})::bigint AS ms) t`;
  await inSteps(deliveries, async (from, to) => {
    await database.execute(
      `INSERT INTO webhook_deliveries (id, endpoint_id, key, body, events, attempt, status, http_status, duration_ms, at)
       SELECT ${uuidAt('ms', `('delivery' || n)`)}, $1::uuid, gen_random_uuid(), 0, '{message.sent}', 1, 'Delivered', 200, 20,
         to_timestamp(ms / 1000.0)
       FROM generate_series($2::int, $3::int) AS n, ${deliveredAt}`,
      [endpoint!.id, from, to],
    );
    await database.execute(
      `INSERT INTO webhook_bodies (id, body)
       SELECT ${uuidAt('ms', `('delivery' || n)`)},
         '{"events":[{"type":"message.sent","data":{"messageId":"' || n || '","phone":"' || (${FIRST_PHONE} + n - 1) || '","status":"Sent"}}]}'
       FROM generate_series($1::int, $2::int) AS n, ${deliveredAt}`,
      [from, to],
    );
  });
  return endpoint!.id;
}
