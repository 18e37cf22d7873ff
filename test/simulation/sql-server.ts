import type { DataSource, QueryRunner } from 'typeorm';

/** One real connection; `pid` is the id of its server process. */
export interface SqlConnection {
  runner: QueryRunner;
  pid: number;
}

/** A written row, with the names of its columns. */
export interface WrittenRow {
  pid: number;
  table: string;
  row: Record<string, unknown>;
}

const TABLES = ['sender_lanes', 'bulk_jobs', 'job_recipients', 'single_sends', 'messages', 'webhook_outbox'];

const COUNTED = ['account_activity', 'account_failures', 'activity_deltas'];

/** Every row that a transaction writes appears here when it commits. */
const RECORD_WRITES = `
CREATE TABLE written_rows (seq bigserial, pid int, of_table text, row_after jsonb);
CREATE FUNCTION record_write() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO written_rows (pid, of_table, row_after) VALUES (pg_backend_pid(), TG_ARGV[0], to_jsonb(NEW));
  RETURN NULL;
END $$;
${TABLES.map(
  (table) => `CREATE TRIGGER record_write AFTER INSERT OR UPDATE ON ${table}
  FOR EACH ROW EXECUTE FUNCTION record_write('${table}');`,
).join('\n')}`;

/**
 * Jobs whose samples or statuses, and accounts whose hours, differ from their rows. Samples exclude recipients that
 * failed at the import or have opted out, and those that were never tried: these have no outcome.
 */
const MISCOUNTED = `
WITH job AS (
  SELECT j.id, j.account_id, (
      SELECT count(*) FROM job_recipients r WHERE r.job_id = j.id AND r.outcome = 'Sent') AS sent, (
      SELECT count(*) FROM job_recipients r WHERE r.job_id = j.id AND r.outcome NOT IN ('Sent', 'Skipped')
        AND r.problem IS DISTINCT FROM 'invalid_phone') AS failed,
    (SELECT sum(s.sent) FROM job_pace_samples s WHERE s.job_id = j.id) AS sampled_sent,
    (SELECT sum(s.failed) FROM job_pace_samples s WHERE s.job_id = j.id) AS sampled_failed,
    j.delivered, j.read, j.undelivered
  FROM bulk_jobs j),
message AS (
  SELECT account_id, job_id, count(*) FILTER (WHERE status IN ('Sent', 'Delivered', 'Read', 'Undelivered')) AS sent,
    count(*) FILTER (WHERE status IN ('Delivered', 'Read')) AS delivered, count(*) FILTER (WHERE status = 'Read') AS read,
    count(*) FILTER (WHERE status = 'Undelivered') AS undelivered
  FROM messages WHERE direction = 'Outbound' GROUP BY account_id, job_id),
hour AS (
  SELECT account_id, sum(sent) AS sent, sum(delivered) AS delivered, sum(read) AS read, sum(undelivered) AS undelivered
  FROM account_activity GROUP BY account_id)
SELECT 'samples' AS what, to_jsonb(j) AS counted, NULL::jsonb AS rows FROM job j
WHERE (coalesce(sampled_sent, 0), coalesce(sampled_failed, 0)) <> (j.sent, j.failed)
UNION ALL
SELECT 'statuses', to_jsonb(j), to_jsonb(m) FROM job j JOIN message m ON m.job_id = j.id
WHERE (j.delivered, j.read, j.undelivered) <> (m.delivered, m.read, m.undelivered)
UNION ALL
SELECT 'hours', to_jsonb(h), to_jsonb(m) FROM (
  SELECT account_id, sum(sent) AS sent, sum(delivered) AS delivered, sum(read) AS read, sum(undelivered) AS undelivered
  FROM message GROUP BY account_id) m LEFT JOIN hour h USING (account_id)
WHERE (coalesce(h.sent, 0), coalesce(h.delivered, 0), coalesce(h.read, 0), coalesce(h.undelivered, 0))
  <> (m.sent, m.delivered, m.read, m.undelivered)`;

/** A real database on which histories run one after the other. */
export class SqlServer {
  readonly free: SqlConnection[] = [];
  private asked: Promise<unknown> = Promise.resolve();
  private readonly waiting: ((connection: SqlConnection) => void)[] = [];

  private constructor(
    /** The observing connection; the only one of a database that allows no more. */
    private readonly witness: QueryRunner,
    private readonly all: SqlConnection[],
  ) {
    this.free.push(...all);
  }

  /** Prepares a migrated database; `connections` is the number that all processes of a history may have open together. */
  static async open(source: DataSource, connections: number): Promise<SqlServer> {
    const all: SqlConnection[] = [];
    for (let n = 0; n < connections; n++) {
      const runner = source.createQueryRunner();
      await runner.connect();
      // Only virtual time decides about timeouts.
      await runner.query(
        'SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET statement_timeout = 0',
      );
      const [{ pid }] = (await runner.query('SELECT pg_backend_pid() AS pid')) as [{ pid: number }];
      all.push({ runner, pid });
    }
    const witness = connections === 1 ? all[0]!.runner : source.createQueryRunner();
    await witness.query(RECORD_WRITES);
    return new SqlServer(witness, all);
  }

  /** Deletes all rows, and adds the accounts and senders of a history. */
  async reset(senders: readonly { id: string; accountId: string }[]): Promise<void> {
    await this.witness.query(
      [...['written_rows', 'job_status_deltas', 'opt_outs', 'conversations'], ...COUNTED, ...TABLES]
        .map((table) => `DELETE FROM ${table}`)
        .join('; '),
    );
    for (const { id, accountId } of senders) {
      await this.witness.query(
        `INSERT INTO accounts (id, name, plan) VALUES ($1, 'Acme', 'Free') ON CONFLICT DO NOTHING`,
        [accountId],
      );
      await this.witness.query(
        `INSERT INTO senders (id, account_id, phone_number_id, business_account_id) VALUES ($1, $2, $3, '2')
         ON CONFLICT DO NOTHING`,
        [id, accountId, id],
      );
      await this.witness.query(
        `INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted)
         VALUES ($1, $2, '', '{message.sent,message.delivered,message.read,message.undelivered,message.failed}', 1, 'Enabled', '')
         ON CONFLICT DO NOTHING`,
        [id, accountId],
      );
    }
  }

  /** Counters and activity counts that differ from the rows at the end of a history. */
  miscounted(): Promise<object[]> {
    return this.query(MISCOUNTED);
  }

  /** A free connection; waits for one if necessary. */
  acquire(): Promise<SqlConnection> {
    const connection = this.free.pop();
    if (connection) return Promise.resolve(connection);
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  release(connection: SqlConnection): void {
    const next = this.waiting.shift();
    if (next) next(connection);
    else this.free.push(connection);
  }

  /** The rows written and committed since the last call, in the order of writing. */
  async written(): Promise<WrittenRow[]> {
    const rows = await this.query<{ pid: number; of_table: string; row_after: Record<string, unknown> }>(
      'WITH taken AS (DELETE FROM written_rows RETURNING *) SELECT * FROM taken ORDER BY seq',
    );
    return rows.map(({ pid, of_table: table, row_after: row }) => ({ pid, table, row }));
  }

  /** Connections that wait for a lock. */
  async blocked(): Promise<Set<number>> {
    // A single connection never waits for a lock.
    if (this.all.length === 1) return new Set();
    const rows = await this.query<{ pid: number }>('SELECT pid FROM pg_locks WHERE NOT granted');
    return new Set(rows.map(({ pid }) => pid));
  }

  /** Cancels the statement that a connection waits for. */
  async cancel(pid: number): Promise<void> {
    await this.query('SELECT pg_cancel_backend($1)', [pid]);
  }

  /** Runs one query at a time. */
  private query<Row>(sql: string, parameters: unknown[] = []): Promise<Row[]> {
    const answer = this.asked.then(() => this.witness.query(sql, parameters) as Promise<Row[]>);
    this.asked = answer.catch(() => undefined);
    return answer;
  }

  async close(): Promise<void> {
    for (const { runner } of this.all) await runner.release();
    if (!this.witness.isReleased) await this.witness.release();
  }
}
