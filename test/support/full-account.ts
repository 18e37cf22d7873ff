import { Readable } from 'node:stream';
import { SystemClock } from '../../src/infra/system-clock';
import type { Database } from '../../src/infra/database/database';
import { uuidV7 } from '../../src/kernel/uuid';
import { DeliveryLogPartitions } from '../../src/modules/events/adapters/delivery-log-partitions';
import { PostgresInboundMediaStore } from '../../src/modules/media/adapters/postgres-inbound-media-store';
import type { MediaStore } from '../../src/modules/media/domain/media-store.port';
import { SqlSendingTables } from './sending-tables';

/** A row of each of these tables of an account; $1 account, $2 a new id, $3 a job, or the sender of single sends. */
const ROWS: Record<string, string> = {
  api_keys: `INSERT INTO api_keys (id, account_id, name, prefix, secret_hash, scopes) VALUES ($2::uuid, $1, '', $2::uuid::text, '', '{}')`,
  audit_log: `INSERT INTO audit_log (id, account_id, actor_account_id, key_prefix, action, target_id, fields, created_at, key_name)
    VALUES ($2::uuid, $1, $1, 'mta', 'sender.deleted', $2::uuid, '{}', now(), 'Back office')`,
  idempotency_keys: `INSERT INTO idempotency_keys (account_id, endpoint, key, fingerprint, claim_token, lease_until, resource_id)
    VALUES ($1, '', $2::uuid::text, '', $2::uuid, now(), $2::uuid)`,
  contacts: `INSERT INTO contacts (id, account_id, phone, phone_key) VALUES ($2::uuid, $1, '491', $2::uuid::text)`,
  contact_groups: `INSERT INTO contact_groups (id, account_id, name) VALUES ($2::uuid, $1, $2::uuid::text)`,
  quick_replies: `INSERT INTO quick_replies (id, account_id, name, text) VALUES ($2::uuid, $1, $2::uuid::text, '')`,
  opt_outs: `INSERT INTO opt_outs (account_id, person, phone, source) VALUES ($1, $2::uuid::text, '491', 'Api')`,
  opted_in: `INSERT INTO opt_outs (account_id, person, phone, source, stopped, start_at)
    VALUES ($1, $2::uuid::text, '492', 'Keyword', false, now())`,
  erasures: `INSERT INTO erasures (id, account_id, phone, requested_at, due_at) VALUES ($2::uuid, $1, '491', now(), now())`,
  conversations: `INSERT INTO conversations (id, account_id, last_message_id, last_message_at, last_direction)
    VALUES ($2::uuid, $1, $2::uuid, now(), 'Inbound')`,
  joined_conversations: `INSERT INTO joined_conversations (id, account_id, conversation_id)
    SELECT $2::uuid, $1, id FROM conversations WHERE account_id = $1 LIMIT 1`,
  messages: `INSERT INTO messages (id, account_id, direction, type, status, job_id, created_at)
    VALUES ($2::uuid, $1, 'Outbound', 'Template', 'Sent', $3, now())`,
  sent: `WITH message AS (
      INSERT INTO messages (id, account_id, direction, type, status, created_at)
      VALUES ($2::uuid, $1, 'Outbound', 'Template', 'Sent', now()) RETURNING id)
    INSERT INTO single_sends (message_id, sender_id, attempt, valid_until, created_by, request_id)
    SELECT id, $3, 1, now(), id, 'request-1' FROM message`,
  account_activity: `INSERT INTO account_activity (account_id, hour, sent)
    SELECT $1, now() - count(*) * interval '1 h', 1 FROM account_activity WHERE account_id = $1 AND $2::uuid IS NOT NULL`,
  account_failures: `INSERT INTO account_failures (account_id, hour, code, count) VALUES ($1, now(), $2::uuid::text, 1)`,
  webhook_endpoints: `WITH endpoint AS (
      INSERT INTO webhook_endpoints (id, account_id, url, events, max_events, status, secret_encrypted)
      VALUES ($2::uuid, $1, 'https://example.com', '{}', 1, 'Enabled', '') RETURNING id)
    INSERT INTO webhook_deliveries (id, endpoint_id, key, body, events, attempt, status, duration_ms, at)
    SELECT id, id, id, 0, '{message.sent}', 1, 'Delivered', 5, now() FROM endpoint`,
  template_syncs: `INSERT INTO template_syncs (account_id, owner, lease_until) VALUES ($1, $2::uuid, now()) ON CONFLICT DO NOTHING`,
};

/** The tables in which an account has rows. */
export const TABLES = [
  ...Object.keys(ROWS).filter((name) => !['opted_in', 'sent'].includes(name)),
  ...['accounts', 'bulk_jobs', 'inbound_media', 'job_recipients', 'senders', 'single_sends', 'templates'],
].sort();

/** An account that has rows of every kind, more than one step deletes, and one received file. */
export class FullAccount extends SqlSendingTables {
  fileOf: string;

  constructor(
    private readonly all: Database,
    private readonly files: MediaStore,
  ) {
    super(all);
  }

  async fill(): Promise<this> {
    await new DeliveryLogPartitions(this.all, new SystemClock()).keep();
    await this.addSender();
    const job = await this.addJob(520, { createdAt: new Date(Date.now() - 1000) }, { 1: { reference: 'first' } });
    await this.addJob(3);
    for (const sql of Object.values(ROWS)) {
      for (let n = 0; n < 3; n++) {
        const given = [this.accountId, uuidV7(), sql.includes('single_sends') ? this.senderId : job];
        await this.all.execute(sql, given.slice(0, sql.includes('$3') ? 3 : 2));
      }
    }
    this.fileOf = await this.receive('picture');
    return this;
  }

  /** A received message with a file, which is fetched and stored. */
  private async receive(content: string): Promise<string> {
    const messageId = uuidV7();
    await this.all.execute(
      `INSERT INTO messages (id, account_id, direction, type, status, created_at) VALUES ($1, $2, 'Inbound', 'Image', 'Received', now())`,
      [messageId, this.accountId],
    );
    const store = new PostgresInboundMediaStore(this.all);
    const { accountId, senderId } = this;
    const file = {
      messageId,
      accountId,
      senderId,
      platformMediaId: '1',
      mimeType: null,
      receivedAt: new Date(),
      problem: null,
    };
    await store.add([file]);
    const claimed = (await store.claim(1000, 60)).find((one) => one.messageId === messageId)!;
    await this.files.put(messageId, Readable.from([Buffer.from(content)]));
    await store.markStored(claimed, { mimeType: 'image/jpeg', size: content.length, sha256: '00' });
    return messageId;
  }
}
