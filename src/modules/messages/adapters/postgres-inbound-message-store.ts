import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { AnsweredMessage, InboundRecord } from '../domain/inbound-message';
import { lowestUuidAt } from '../../../kernel/uuid';
import { InboundMessageStore, type StoredOriginal } from '../domain/inbound-message-store.port';

const ADD = `
INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, contact_user_id, content, status,
  platform_message_id, created_at, sender_id)
SELECT id, account, conversation, 'Inbound', type, phone, user_id, content, 'Received', platform_id, at, sender
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[],
  $9::timestamptz[], $10::uuid[]) AS m (id, account, conversation, type, phone, user_id, content, platform_id, at, sender)
ON CONFLICT (id) DO NOTHING
RETURNING id`;

/** Locks the rows first, in the same order as every other transaction. */
const COMPLETE = `
WITH held AS (SELECT id FROM messages WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE)
UPDATE messages m SET type = r.type, content = r.content
FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) AS r (id, type, content)
WHERE m.id = r.id AND m.id IN (SELECT id FROM held) AND m.type = 'Unsupported' AND m.conversation_id IS NOT NULL
RETURNING m.id, m.conversation_id AS "conversationId", m.created_at AS "orderedAt"`;

/**
 * The ids of the messages with these platform ids. No second condition here: it would let the planner read a partition
 * by another index.
 */
const idsWith = (platformIds: string) => `ARRAY(
  SELECT m.id FROM unnest(${platformIds}::text[]) AS p (platform_id)
  CROSS JOIN LATERAL (SELECT id FROM messages WHERE platform_message_id = p.platform_id OFFSET 0) m)`;

const SUPERSEDED = `
SELECT g.id FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS g (id, account, platform_id)
CROSS JOIN LATERAL (
  SELECT id, account_id, direction, content FROM messages WHERE platform_message_id = g.platform_id OFFSET 0
) m
WHERE m.account_id = g.account AND m.id <> g.id AND m.id >= $4::uuid AND m.direction = 'Inbound'
  AND (m.content->>'editedAt' IS NOT NULL OR m.content->>'revokedAt' IS NOT NULL)`;

const ORIGINALS = `
SELECT id, account_id AS "accountId", platform_message_id AS "platformMessageId", type, content FROM messages
WHERE id = ANY(${idsWith('$2')}) AND id >= $3::uuid AND account_id = ANY($1::uuid[]) AND direction = 'Inbound'
  AND conversation_id IS NOT NULL
ORDER BY id FOR UPDATE`;

const SENT = `
SELECT id, platform_message_id AS "platformMessageId", reference, revision_id AS "revisionId" FROM messages
WHERE id = ANY(${idsWith('$2')} || $3::uuid[]) AND account_id = $1 AND direction = 'Outbound'
  AND conversation_id IS NOT NULL`;

const REWRITE = `
UPDATE messages m SET type = r.type, content = r.content
FROM unnest($1::uuid[], $2::text[], $3::jsonb[]) AS r (id, type, content) WHERE m.id = r.id`;

/** Stores inbound messages in the table `messages`, written in sets. */
@Injectable()
export class PostgresInboundMessageStore extends InboundMessageStore {
  constructor(private readonly database: Database) {
    super();
  }

  async add(messages: readonly InboundRecord[]): Promise<Set<string>> {
    const column = <T>(of: (message: InboundRecord) => T): T[] => messages.map(of);
    const rows = await this.database.rows<{ id: string }>(ADD, [
      column((m) => m.id),
      column((m) => m.accountId),
      column((m) => m.conversationId),
      column((m) => m.type),
      column((m) => m.phone),
      column((m) => m.userId),
      column((m) => JSON.stringify(m.content)),
      column((m) => m.platformMessageId),
      column((m) => m.orderedAt),
      column((m) => m.senderId),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  async complete(
    messages: readonly InboundRecord[],
  ): Promise<Map<string, Pick<InboundRecord, 'conversationId' | 'orderedAt'>>> {
    const rows = await this.database.rows<Pick<InboundRecord, 'id' | 'conversationId' | 'orderedAt'>>(
      COMPLETE,
      contentsOf(messages),
    );
    return new Map(rows.map(({ id, ...place }) => [id, place]));
  }

  async superseded(messages: readonly InboundRecord[], since: Date): Promise<Set<string>> {
    const rows = await this.database.rows<{ id: string }>(SUPERSEDED, [
      messages.map(({ id }) => id),
      messages.map(({ accountId }) => accountId),
      messages.map(({ platformMessageId }) => platformMessageId),
      lowestUuidAt(since),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  originals(accountIds: readonly string[], platformIds: readonly string[], since: Date): Promise<StoredOriginal[]> {
    return this.database.rows<StoredOriginal>(ORIGINALS, [accountIds, platformIds, lowestUuidAt(since)]);
  }

  sent(accountId: string, platformIds: readonly string[], ids: readonly string[]): Promise<AnsweredMessage[]> {
    return this.database.rows<AnsweredMessage>(SENT, [accountId, platformIds, ids]);
  }

  async rewrite(messages: readonly StoredOriginal[]): Promise<void> {
    await this.database.execute(REWRITE, contentsOf(messages));
  }
}

function contentsOf(messages: readonly Pick<StoredOriginal, 'id' | 'type' | 'content'>[]): unknown[] {
  return [
    messages.map(({ id }) => id),
    messages.map(({ type }) => type),
    messages.map(({ content }) => JSON.stringify(content)),
  ];
}
