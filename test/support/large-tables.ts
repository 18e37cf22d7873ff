import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';

/** Sizes of the tables. */
export interface Extent {
  /** Of each of three jobs. */
  recipients: number;
  pausedJobs: number;
  singleSends: number;
  /** Events waiting for one endpoint. */
  events: number;
}

const CHUNK = 10_000;

/** Epoch of the lane that owns all rows. */
export const EPOCH = 5;

/**
 * A sender with large running jobs, some unknown outcomes, pending retries and old jobs, and other senders with a small
 * job each.
 */
export class LargeTables {
  readonly accountId = uuidV7();
  readonly senderId = uuidV7();
  readonly running = uuidV7();
  readonly portfolio = 'portfolio';
  readonly endpointId = uuidV7();

  constructor(
    private readonly database: Database,
    readonly extent: Extent,
  ) {}

  /** The first position of the running job whose first attempt may be claimed. */
  get cursor(): number {
    return this.extent.recipients / 2 + 1;
  }

  /** About the newest waiting event. */
  get newestEvent(): number {
    return 2 * this.extent.events + 200;
  }

  messageAt(position: number): string {
    return `00000000-0000-7000-8000-${String(position).padStart(12, '0')}`;
  }

  async fill(): Promise<void> {
    const revision = uuidV7();
    const { recipients, pausedJobs, singleSends } = this.extent;
    await this.run(`SET CONSTRAINTS ALL DEFERRED`);
    await this.run(`INSERT INTO accounts (id, name, plan) VALUES ('${this.accountId}', 'Acme', 'Free')`);
    await this.run(
      `INSERT INTO accounts (id, name, plan) SELECT gen_random_uuid(), 'Other', 'Free' FROM generate_series(1, 200)`,
    );
    await this.run(`INSERT INTO senders (id, account_id, phone_number_id, business_account_id)
      SELECT CASE WHEN id = '${this.accountId}' THEN '${this.senderId}' ELSE gen_random_uuid() END, id, id, '2' FROM accounts`);
    await this.run(`INSERT INTO sender_lanes (sender_id, epoch, owner, lease_until)
      SELECT id, ${EPOCH}, 'a process', CASE WHEN id = '${this.senderId}' THEN now() - interval '1 h' ELSE 'infinity' END
      FROM senders`);
    const template = uuidV7();
    await this.run(`WITH t AS (
        INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
        VALUES ('${template}', '${this.accountId}', 'promo', 'en_US', 'Marketing', 'Approved', 'Positional', '${revision}', '2'))
      INSERT INTO template_revisions (id, template_id, components) VALUES ('${revision}', '${template}', '{}')`);
    await this
      .run(`INSERT INTO templates (id, account_id, name, language_code, category, status, parameter_format, revision_id, business_account_id)
      SELECT gen_random_uuid(), id, 'refused_' || n, 'en_US', 'Marketing', 'Rejected', 'Positional', gen_random_uuid(), '2'
      FROM accounts, generate_series(1, 20) n`);
    const job = (id: string, status: string, atRest: boolean): string =>
      `${id}, '${this.accountId}', '${this.senderId}', 'Import', '${status}', 'promo', 'en_US', '${revision}',
        ${recipients}, ${this.cursor}, ${this.cursor - (atRest ? 0 : 100)}, ${atRest ? 0 : EPOCH}, ${String(atRest)}`;
    const columns = `id, account_id, sender_id, kind, status, template_name, language_code, revision_id,
      total_recipients, cursor, settled_below, lane_epoch, at_rest`;
    await this.run(
      `INSERT INTO bulk_jobs (${columns}, unknown_in_grace) SELECT ${job(`'${this.running}'`, 'Processing', false)}, 1`,
    );
    await this.inChunks(
      `INSERT INTO bulk_jobs (${columns}) SELECT ${job('gen_random_uuid()', 'Paused', true)}
        FROM generate_series($1::int, $2::int)`,
      pausedJobs,
    );
    await this.run(`INSERT INTO bulk_jobs (${columns}, completed_at)
      SELECT ${job('gen_random_uuid()', 'Completed', false)}, now() FROM generate_series(1, 1000)`);
    // Every other sender has a running job in a lane of another process.
    await this.run(`INSERT INTO bulk_jobs (${columns})
      SELECT gen_random_uuid(), account_id, id, 'Import', 'Processing', 'promo', 'en_US', '${revision}', 10, 1, 1, ${EPOCH}, false
      FROM senders WHERE id <> '${this.senderId}'`);
    // Of the attempts, one in 200 is unknown, one in 400 waits for a retry, one in 1,000 failed; the last ones are in
    // flight.
    for (const id of [this.running, uuidV7(), uuidV7()]) {
      const isSeen = id === this.running;
      await this.inChunks(
        `INSERT INTO job_recipients (job_id, position, row_number, message_id, phone, parameters, attempt, outcome,
          unknown_since, retry_at, sending_epoch, problem)
        SELECT '${id}', n, n, ${isSeen ? `('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid` : 'gen_random_uuid()'},
          '49151' || lpad(n::text, 8, '0'), '["Mira"]', CASE WHEN n < ${this.cursor} THEN 1 ELSE 0 END,
          CASE WHEN n >= ${this.cursor - 100} OR n % 400 = 7 OR n % 4000 = 9 THEN NULL WHEN n % 200 = 3 THEN 'Unknown'
            WHEN n % 1000 = 5 THEN 'Failed' ELSE 'Sent' END,
          CASE WHEN n < ${this.cursor - 100} AND n % 200 = 3 THEN now() - n * interval '10 ms' END,
          CASE WHEN n < ${this.cursor - 100} AND n % 400 = 7 THEN now() + (n - 4000) * interval '1 s' END,
          CASE WHEN n < ${this.cursor - 100} AND n % 4000 = 9 THEN ${EPOCH - 1} END,
          CASE WHEN n < ${this.cursor - 100} AND n % 1000 = 5 THEN 'recipient_unreachable' END
        FROM generate_series($1::int, $2::int) n`,
        recipients,
      );
    }
    await this.run(`INSERT INTO job_recipient_keys (job_id, first_position, last_position, keys)
      SELECT id, n, n + 499, ARRAY[n] FROM (SELECT id FROM bulk_jobs ORDER BY id <> '${this.running}' LIMIT 1000) j,
        generate_series(1, ${recipients}, 500) n`);
    await this.inChunks(
      `INSERT INTO messages (id, account_id, conversation_id, direction, type, status, problem, job_id, row_number, created_at,
          sent_at, failed_at)
        SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${this.accountId}', gen_random_uuid(),
          'Outbound', 'Template', CASE WHEN n % 1000 = 11 THEN 'Undelivered' ELSE 'Delivered' END,
          CASE WHEN n % 1000 = 11 THEN 'message_expired' END, '${this.running}', n, now(), now(),
          CASE WHEN n % 1000 = 11 THEN now() END
        FROM generate_series($1::int, $2::int) n`,
      this.cursor - 100,
    );
    await this.run(`INSERT INTO single_sends (message_id, sender_id, attempt, retry_at, outcome, valid_until)
      SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${this.senderId}', 1,
        CASE WHEN n % 2 = 0 THEN now() + (n - 20) * interval '1 s' END, CASE WHEN n % 2 = 1 THEN 'Sent' END,
        now() + interval '1 day'
      FROM generate_series(1, ${singleSends}) n`);
    await this.run(`INSERT INTO portfolios (id, at_most) VALUES ('${this.portfolio}', ${singleSends})`);
    await this.run(`INSERT INTO tier_conversations (portfolio_id, person, at, message_id)
      SELECT '${this.portfolio}', '49151' || lpad(n::text, 8, '0'), now() - n * interval '8 s', gen_random_uuid()
      FROM generate_series(1, ${singleSends}) n`);
    await this.fillEvents();
    await this.run(`INSERT INTO job_status_deltas (job_id, delivered, read, undelivered)
      SELECT '${this.running}', 1, 0, 0 FROM generate_series(1, 2000)`);
  }

  /**
   * An endpoint with many waiting events, half of them ordered and most of those of one job, and with a replay of its
   * log; and in each other account an idle endpoint and an unreachable one, for which an event waits; and a disabled
   * endpoint with many.
   */
  private async fillEvents(): Promise<void> {
    const disabledId = uuidV7();
    const others = `FROM accounts WHERE id <> '${this.accountId}'`;
    for (const table of ['webhook_deliveries', 'webhook_bodies']) {
      await this.run(`CREATE TABLE ${table}_now PARTITION OF ${table} DEFAULT`);
    }
    await this
      .run(`INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted, next_due_at)
      SELECT CASE WHEN id = '${this.accountId}' THEN '${this.endpointId}' ELSE gen_random_uuid() END, id, 'https://example.com',
        '{message.sent}', 1, 'Enabled', '', CASE WHEN id <> '${this.accountId}' THEN 'infinity'::timestamptz ELSE '-infinity' END FROM accounts`);
    await this.inChunks(
      `INSERT INTO webhook_outbox (endpoint_id, order_key, bodies, payload, next_at)
        SELECT '${this.endpointId}', CASE WHEN n % 10 = 0 THEN gen_random_uuid() WHEN n % 2 = 0 THEN '${this.running}'::uuid END, 1,
          '{"type":"message.sent"}', now() + CASE WHEN n % 2 = 0 THEN 0 ELSE n - 50 END * interval '1 s'
        FROM generate_series($1::int, $2::int) n`,
      this.extent.events,
    );
    await this.run(`INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted)
      (SELECT '${disabledId}'::uuid, id, 'https://example.com', '{message.sent}'::text[], 1, 'Disabled', '' ${others} LIMIT 1)`);
    await this.inChunks(
      `INSERT INTO webhook_outbox (endpoint_id, bodies, payload)
        SELECT '${disabledId}', 1, '{"type":"message.sent"}' FROM generate_series($1::int, $2::int)`,
      this.extent.events,
    );
    await this.run(`WITH unreachable AS (
        INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted, blocked_until, next_due_at)
        SELECT gen_random_uuid(), id, 'https://example.com', '{message.sent}', 1, 'Enabled', '', at, at
        FROM accounts, (SELECT now() + interval '1 h' AS at) t WHERE id <> '${this.accountId}' RETURNING id)
      INSERT INTO webhook_outbox (endpoint_id, bodies, payload) SELECT id, 1, '{"type":"message.sent"}' FROM unreachable`);
    await this.inChunks(
      `INSERT INTO webhook_deliveries (id, endpoint_id, key, body, events, attempt, status, duration_ms, at, order_key, row_id)
        SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, '${this.endpointId}', gen_random_uuid(), 0, '{}', 1,
          'Delivered', 1, now(), CASE WHEN n % 10 = 0 THEN gen_random_uuid() END, n FROM generate_series($1::int, $2::int) n`,
      this.extent.events,
    );
    await this.inChunks(
      `INSERT INTO webhook_bodies (id, body)
        SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
          '{"type":"message.sent","data":{"phone":"49151' || lpad((n % 20000)::text, 8, '0') || '","userId":null}}'
        FROM generate_series($1::int, $2::int) n`,
      this.extent.events,
    );
    const first = '00000000-0000-0000-0000-000000000000';
    await this.run(`INSERT INTO webhook_replays (endpoint_id, since, per_second, first_id, after_id)
      VALUES ('${this.endpointId}', '-infinity', 10, '${first}', '${first}')`);
  }

  /** A slow statement looks like a lost server. */
  private async inChunks(sql: string, total: number): Promise<void> {
    for (let from = 1; from <= total; from += CHUNK) {
      await this.database.execute(sql, [from, Math.min(from + CHUNK - 1, total)]);
    }
  }

  private async run(sql: string): Promise<void> {
    await this.database.execute(sql);
  }
}
