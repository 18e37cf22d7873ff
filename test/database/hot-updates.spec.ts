import type { Database } from '../../src/infra/database/database';
import { describeOnDatabase } from '../support/databases';

const ROWS = 20_000;
const AT_ONCE = 1000;

describeOnDatabase('Updates of growing tables', (open, isShared) => {
  // The embedded database keeps no statistics.
  if (!isShared) return it('are counted on PostgreSQL', () => undefined);
  let database: Database;

  beforeAll(async () => {
    database = await open();
    await database.execute(
      `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters)
       SELECT $1::uuid, n, n + 1, gen_random_uuid(), (4915100000000 + n)::text, '["Mira", "PK-1234567"]' FROM generate_series(1, $2::int) n`,
      [JOB, ROWS],
    );
    await database.execute(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, status, parameters, platform_message_id, job_id,
         row_number, created_at, sent_at)
       SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'Outbound', 'Template', (4915100000000 + n)::text, 'Sent',
         '["Mira", "PK-1234567"]', 'wamid.' || md5(n::text), $1::uuid, n, now(), now() FROM generate_series(1, $2::int) n`,
      [JOB, ROWS],
    );
  });

  it.each([
    [
      'an outcome of a recipient',
      'job_recipients',
      `attempt = 1, outcome = 'Sent', updated_at = clock_timestamp()`,
      'position',
    ],
    ['a status of a message', 'messages', `status = 'Delivered', delivered_at = clock_timestamp()`, 'row_number'],
  ])('write no index: %s', async (_what, table, changes, place) => {
    for (let from = 0; from < ROWS; from += AT_ONCE) {
      await database.execute(`UPDATE ${table} SET ${changes} WHERE job_id = $1 AND ${place} > $2 AND ${place} <= $3`, [
        JOB,
        from,
        from + AT_ONCE,
      ]);
    }
    await database.rows('SELECT pg_stat_force_next_flush()');
    const [row] = await database.rows<{ updated: number; hot: number }>(
      `SELECT sum(n_tup_upd)::int AS updated, sum(n_tup_hot_upd)::int AS hot FROM pg_stat_user_tables WHERE relname LIKE $1`,
      [`${table}%`],
    );
    expect(row!.updated).toBe(ROWS);
    expect(row!.hot / row!.updated).toBeGreaterThan(0.85);
  });
});

const JOB = '00000000-0000-7000-8000-000000000001';
