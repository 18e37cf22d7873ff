import { Readable } from 'node:stream';
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
  ...all(['unread_counts', 'unread_changes'], 'derived from the conversations'),
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

  async function filesOf(accountId: string, senderId?: string): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const { archive } = parts;
    const pieces = senderId === undefined ? archive.pieces(accountId) : archive.piecesOfSender(accountId, senderId);
    for await (const { file, data } of pieces) {
      found.set(file, (found.get(file) ?? '') + (typeof data === 'string' ? data : Buffer.from(data).toString()));
    }
    return found;
  }

  const lines = (name: string, of = files): Line[] =>
    of
      .get(name)!
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);

  const linesOf = (of: Map<string, string>): Record<string, number> =>
    Object.fromEntries(
      [...of.keys()].filter((name) => name.endsWith('.jsonl')).map((name) => [name, lines(name, of).length]),
    );

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
    expect(linesOf(files)).toEqual({
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

  it('of a sender contains what belongs to it, and of the oldest one also what names no sender', async () => {
    const { accountId, senderId: oldest } = account;
    const all = { before: linesOf(await filesOf(accountId)), second: uuidV7() };
    await database.execute(
      `INSERT INTO senders (id, account_id, phone_number_id, business_account_id, is_default) VALUES ($1::uuid, $2, $1::text, '2', false)`,
      [all.second, accountId],
    );
    account.senderId = all.second;
    const job = await account.addJob(501);
    account.senderId = oldest;
    const insert = (sql: string, ...parameters: unknown[]) => database.execute(sql, [accountId, ...parameters]);
    const message = `INSERT INTO messages (id, account_id, sender_id, direction, type, status, created_at) VALUES ($2, $1, $3, $4, 'Text', 'Sent', now())`;
    const [sent, received] = [uuidV7(), uuidV7()];
    await insert(message, sent, all.second, 'Outbound');
    await insert(message, received, all.second, 'Inbound');
    const conversation = `INSERT INTO conversations (id, account_id, sender_id, last_message_id, last_message_at, last_direction)
      VALUES ($2::uuid, $1, $3, $4, now(), 'Outbound')`;
    // The person has never written, and has written to the other sender.
    const [campaign, answered] = [uuidV7(), uuidV7()];
    await insert(conversation, campaign, null, sent);
    await insert(conversation, answered, oldest, sent);
    await insert(
      `INSERT INTO inbound_media (message_id, account_id, sender_id, platform_media_id, received_at, state)
       VALUES ($2, $1, $3, '1', now(), 'Kept')`,
      ...[received, all.second],
    );
    await parts.files.put(received, Readable.from([Buffer.from('voice')]));
    await insert(
      `INSERT INTO audit_log (id, account_id, actor_account_id, action, target_id, fields, created_at)
       VALUES ($2::uuid, $1, $1, 'sender.created', $3, '{}', now())`,
      ...[uuidV7(), all.second],
    );

    const ofSecond = await filesOf(accountId, all.second);
    expect(linesOf(ofSecond)).toEqual({
      ...{ 'senders.jsonl': 1, 'audit-log.jsonl': 1, 'jobs.jsonl': 1, 'recipients.jsonl': 501, 'messages.jsonl': 2 },
      ...{ 'media.jsonl': 1, 'conversations.jsonl': 1 },
    });
    expect([...ofSecond.keys()].filter((name) => name.startsWith('media/'))).toEqual([`media/${received}`]);
    expect(lines('senders.jsonl', ofSecond)).toMatchObject([{ id: all.second }]);
    expect(lines('jobs.jsonl', ofSecond)).toMatchObject([{ id: job, senderId: all.second }]);
    expect(lines('conversations.jsonl', ofSecond)).toMatchObject([{ id: campaign }]);
    expect(ofSecond.get('messages.jsonl')).not.toContain('isExported');

    const { before } = all;
    const names = ['jobs.jsonl', 'recipients.jsonl', 'messages.jsonl', 'media.jsonl'];
    expect(linesOf(await filesOf(accountId, oldest))).toEqual({
      ...Object.fromEntries(names.map((name) => [name, before[name]])),
      ...{ 'senders.jsonl': 1, 'audit-log.jsonl': 0, 'conversations.jsonl': before['conversations.jsonl']! + 1 },
    });
    expect(linesOf(await filesOf(accountId))).toMatchObject({ 'messages.jsonl': before['messages.jsonl']! + 2 });

    await database.execute('UPDATE senders SET deleted_at = now() WHERE id = $1', [all.second]);
    expect(lines('senders.jsonl', await filesOf(accountId, all.second))).toMatchObject([
      { deletedAt: expect.any(String) as string },
    ]);
    await database.execute('DELETE FROM bulk_jobs WHERE id = $1', [job]);
    await database.execute('DELETE FROM senders WHERE id = $1', [all.second]);
  });

  it('of a sender is that of a sender of the account', async () => {
    const other = await new FullAccount(database, parts.files).fill();
    for (const [accountId, senderId] of [
      [account.accountId, uuidV7()],
      [account.accountId, other.senderId],
      [uuidV7(), other.senderId],
    ] as const) {
      const first = parts.archive.piecesOfSender(accountId, senderId).next();
      await expect(first).rejects.toMatchObject({ code: 'sender_not_found' });
    }
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
