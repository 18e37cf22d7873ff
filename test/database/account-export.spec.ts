import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { describeOnDatabase } from '../support/databases';
import { FullAccount } from '../support/full-account';
import { RetentionParts } from '../support/retention-parts';

type Line = Record<string, unknown>;

/** How a table is in the archive. */
interface Exported {
  file: string;
  /** Names of fields that are not those of the columns. */
  names?: Record<string, string>;
  /** Columns that are left out, and why. */
  internal?: Record<string, string>;
  /** The rows of the table in a line; default: the line. */
  rows?: (line: Line) => Line[];
}

const SECRET = 'a secret';
const ENGINE = 'state of the engine while it sends';
const DELIVERY = 'state of the deliveries';
const SYNC = 'when the service reads from the platform';
const RESULT = 'is in the message';

const all = (columns: readonly string[], reason: string): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column, reason]));

const EXPORTED: Record<string, Exported> = {
  accounts: { file: 'account.jsonl' },
  senders: {
    file: 'senders.jsonl',
    names: { is_default: 'default', platform_quality_rating: 'qualityRating' },
    internal: {
      ...all(['access_token_encrypted', 'app_secret_encrypted'], SECRET),
      ...all(['own_messages_per_second', 'own_messaging_tier'], 'earlier names of the configured limits'),
      ...all(['templates_synced_at', 'limits_read_at', 'limits_lease_until', 'platform_problem'], SYNC),
      ...all(['return_due_at', 'return_until'], 'the return of its webhook subscription'),
    },
  },
  api_keys: {
    file: 'api-keys.jsonl',
    internal: all(['secret_hash', 'previous_prefix', 'previous_secret_hash', 'previous_valid_until'], SECRET),
  },
  audit_log: { file: 'audit-log.jsonl' },
  templates: { file: 'templates.jsonl', internal: { status_at: 'orders the reports of the platform' } },
  template_revisions: {
    file: 'templates.jsonl',
    rows: ({ revisions }) => revisions as Line[],
    internal: { template_id: 'the template of the line' },
  },
  contact_groups: { file: 'groups.jsonl' },
  contacts: { file: 'contacts.jsonl', internal: { phone_key: 'derived from the phone' } },
  contact_group_members: { file: 'contacts.jsonl', names: { contact_id: 'id', group_id: 'groupIds' } },
  opt_outs: {
    file: 'opt-outs.jsonl',
    names: { stop_at: 'optedOutAt', start_at: 'optedInAt' },
    internal: { stopped: 'selects opt-outs.jsonl or opt-ins.jsonl' },
  },
  erasures: {
    file: 'erasures.jsonl',
    internal: {
      ...all(['phone', 'user_id'], 'the person asked to be forgotten'),
      ...all(['round', 'progress', 'owner', 'due_at'], 'progress of the erasure'),
    },
  },
  bulk_jobs: {
    file: 'jobs.jsonl',
    names: {
      pause_problem: 'pauseCode',
      ...all(['send_from', 'send_until', 'send_zone', 'send_days'], 'sendWindow'),
    },
    internal: {
      ...all(['upload_hash', 'import_owner', 'import_lease_until'], 'state of the import'),
      ...all(['cursor', 'settled_below', 'lane_epoch', 'at_rest', 'unknown_in_grace', 'window_opens_at'], ENGINE),
      ...all(['throttled_reason', 'throttled_until', 'throttled_tier', 'traceparent'], ENGINE),
      ...all(['recipients_cleared', 'changed_at', 'updated_at'], 'state of the row'),
    },
  },
  job_recipients: {
    file: 'recipients.jsonl',
    names: { problem: 'errorCode', problem_message: 'errorMessage', attempt: 'attempts' },
    internal: all(['strikes', 'throttles', 'sending_epoch', 'retry_at', 'unknown_since'], ENGINE),
  },
  messages: {
    file: 'messages.jsonl',
    names: {
      contact_user_id: 'userId',
      ...all(['problem_message', 'platform_code'], 'problem'),
      ...all(['pricing_billable', 'pricing_category', 'pricing_type'], 'pricing'),
    },
  },
  single_sends: {
    file: 'messages.jsonl',
    names: { message_id: 'id', created_by: 'sentBy' },
    internal: {
      ...all(['attempt', 'strikes', 'throttles', 'sending_epoch', 'retry_at', 'needs_room', 'give_up_at'], ENGINE),
      ...all(['unknown_since', 'valid_until', 'traceparent'], ENGINE),
      outcome: RESULT,
    },
  },
  inbound_media: {
    file: 'media.jsonl',
    internal: all(['state', 'attempts', 'next_try_at', 'claim', 'problem'], 'files that are stored have none'),
  },
  conversations: { file: 'conversations.jsonl', names: { contact_user_id: 'userId' } },
  joined_conversations: { file: 'conversations.jsonl', names: { id: 'earlierIds', conversation_id: 'id' } },
  quick_replies: { file: 'quick-replies.jsonl' },
  webhook_endpoints: {
    file: 'webhook-endpoints.jsonl',
    internal: {
      ...all(['secret_encrypted', 'previous_secret_encrypted', 'previous_until'], SECRET),
      ...all(['failing_since', 'failures_in_row', 'blocked_until', 'counted_after', 'next_due_at'], DELIVERY),
      ...all(['lease_owner', 'lease_until'], DELIVERY),
    },
  },
  webhook_deliveries: {
    file: 'webhook-deliveries.jsonl',
    internal: all(['order_key', 'row_id', 'logged_at'], DELIVERY),
  },
  account_activity: { file: 'activity.jsonl' },
  account_failures: { file: 'failures.jsonl', names: { code: 'errorCode' } },
};

/** Tables that are not in the archive, and why. */
const INTERNAL: Record<string, string> = {
  ...all(['sender_lanes', 'lane_workers', 'job_status_deltas', 'activity_deltas', 'tier_conversations'], ENGINE),
  ...all(['portfolios', 'parked_updates', 'platform_events', 'webhook_subscriptions'], 'belongs to no account'),
  ...all(
    ['webhook_subscription_checks', 'sender_changes', 'sender_change_log', 'retention_turn'],
    'belongs to no account',
  ),
  ...all(['database_identity', 'migrations'], 'belongs to no account'),
  ...all(['sender_traffic', 'template_syncs'], SYNC),
  ...all(['job_pace', 'job_pace_samples', 'job_recipient_keys'], 'derived from the recipients'),
  ...all(['webhook_outbox', 'webhook_backlogs', 'webhook_replays', 'webhook_upkeep'], DELIVERY),
  webhook_bodies: 'what it reports is in the messages and jobs; deleted after 7 days',
  idempotency_keys: 'repeats responses for 24 hours',
  console_sessions: SECRET,
};

const COLUMNS = `
SELECT c.relname AS "table", array_agg(a.attname::text ORDER BY a.attnum) AS columns
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition GROUP BY 1 ORDER BY 1`;

const camel = (column: string): string => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

describeOnDatabase('The export of an account', (open) => {
  let database: Database;
  let parts: RetentionParts;
  let account: FullAccount;
  let files: Map<string, string>;

  beforeAll(async () => {
    database = await open();
    parts = new RetentionParts(database);
    account = await new FullAccount(database, parts.files).fill();
    await new FullAccount(database, parts.files).fill();
    files = await filesOf(account.accountId);
  }, 60_000);

  async function filesOf(accountId: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for await (const { file, data } of parts.archive.pieces(accountId)) {
      found.set(file, (found.get(file) ?? '') + (typeof data === 'string' ? data : Buffer.from(data).toString()));
    }
    return found;
  }

  const lines = (name: string): Line[] =>
    files
      .get(name)!
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);

  it('contains every column of every table that the account has rows in, except what is internal for a reason', async () => {
    const tables = await database.rows<{ table: string; columns: string[] }>(COLUMNS);
    expect([...Object.keys(EXPORTED), ...Object.keys(INTERNAL)].sort()).toEqual(tables.map(({ table }) => table));
    const wrong = tables.flatMap(({ table, columns }) => {
      const exported = EXPORTED[table];
      if (!exported) return [];
      const { file, names = {}, internal = {}, rows = (line) => [line] } = exported;
      const fields = new Set(lines(file).flatMap(rows).flatMap(Object.keys));
      const missing = columns.filter((column) => {
        const isIn = fields.has(names[column] ?? camel(column));
        return column !== 'account_id' && isIn === column in internal;
      });
      return missing.map((column) => `${table}.${column}`);
    });
    expect(wrong).toEqual([]);
  });

  it('contains every row of the account and no others, in pages of any size', () => {
    const counts = [...files.keys()]
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => [name, lines(name).length]);
    expect(Object.fromEntries(counts)).toEqual({
      ...{ 'account.jsonl': 1, 'senders.jsonl': 1, 'api-keys.jsonl': 3, 'audit-log.jsonl': 3, 'templates.jsonl': 1 },
      ...{ 'groups.jsonl': 3, 'contacts.jsonl': 3, 'opt-outs.jsonl': 3, 'opt-ins.jsonl': 3, 'erasures.jsonl': 3 },
      ...{ 'jobs.jsonl': 2, 'recipients.jsonl': 523, 'messages.jsonl': 7, 'media.jsonl': 1, 'conversations.jsonl': 3 },
      ...{ 'quick-replies.jsonl': 3, 'activity.jsonl': 3, 'failures.jsonl': 3 },
      ...{ 'webhook-endpoints.jsonl': 3, 'webhook-deliveries.jsonl': 3 },
    });
    const recipients = lines('recipients.jsonl');
    const places = recipients.map(({ jobId, position }) => `${String(jobId)} ${String(position)}`);
    expect(new Set(places).size).toBe(523);
    expect(recipients[0]).toMatchObject({ position: 1, reference: 'first' });
    expect(lines('messages.jsonl').filter(({ requestId }) => requestId === 'request-1')).toHaveLength(3);
    expect(lines('opt-ins.jsonl')[0]).toMatchObject({ optedInAt: expect.any(String) as string });
  });

  it('contains the received files, and no secrets', () => {
    expect([...files.keys()].filter((name) => name.startsWith('media/'))).toEqual([`media/${account.fileOf}`]);
    expect(files.get(`media/${account.fileOf}`)).toBe('picture');
    expect(lines('media.jsonl')).toMatchObject([{ messageId: account.fileOf, mimeType: 'image/jpeg', size: 7 }]);
    const texts = [...files].flatMap(([name, content]) => (name === 'media.jsonl' ? [] : [content]));
    expect(texts.join('')).not.toMatch(/secret|encrypted|hash/i);
  });

  it('contains deleted senders', async () => {
    const deleted = uuidV7();
    await database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id, is_default, deleted_at)
       VALUES ($1::uuid, $2, $1::text, '2', false, '2026-11-20T19:15:00Z')`,
      [deleted, account.accountId],
    );
    const senders = (await filesOf(account.accountId)).get('senders.jsonl')!.trim().split('\n');
    expect(senders.map((line) => JSON.parse(line) as Line)).toMatchObject([
      { default: true, deletedAt: null },
      { id: deleted, default: false, deletedAt: '2026-11-20T19:15:00+00:00' },
    ]);
  });

  it('is that of an account that exists', async () => {
    await expect(parts.archive.pieces(uuidV7()).next()).rejects.toMatchObject({ code: 'account_not_found' });
  });
});
