import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { ConversationNews } from '../domain/inbound-message';
import { InboundStore, type KnownByUserId, type PlacedMessage } from '../domain/inbound-store.port';

const PHONES = `
SELECT p.account AS "accountId", p.user_id AS "userId", known.contact_phone AS phone
FROM unnest($1::uuid[], $2::text[]) AS p (account, user_id)
CROSS JOIN LATERAL (
  SELECT contact_phone FROM conversations
  WHERE account_id = p.account AND contact_user_id = p.user_id AND contact_phone IS NOT NULL
  ORDER BY last_message_at DESC LIMIT 1
) AS known`;

const ADD = `
INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, contact_user_id, content, status,
  platform_message_id, created_at)
SELECT id, account, conversation, 'Inbound', type, phone, user_id, content, 'Received', platform_id, at
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[],
  $9::timestamptz[]) AS m (id, account, conversation, type, phone, user_id, content, platform_id, at)
ON CONFLICT (id) DO NOTHING
RETURNING id`;

const KEEP_UP = `
INSERT INTO conversations AS c (id, account_id, contact_phone, contact_user_id, profile_name, last_message_id,
  last_message_at, last_direction, unread_count, window_expires_at)
SELECT id, account, phone, user_id, name, message, at, 'Inbound', unread, expires
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::timestamptz[], $8::int[],
  $9::timestamptz[]) AS n (id, account, phone, user_id, name, message, at, unread, expires)
ON CONFLICT (id) DO UPDATE SET
  contact_phone = COALESCE(c.contact_phone, EXCLUDED.contact_phone),
  contact_user_id = COALESCE(EXCLUDED.contact_user_id, c.contact_user_id),
  profile_name = COALESCE(EXCLUDED.profile_name, c.profile_name),
  unread_count = c.unread_count + EXCLUDED.unread_count,
  window_expires_at = GREATEST(c.window_expires_at, EXCLUDED.window_expires_at),
  (last_message_id, last_message_at, last_direction) = (
    SELECT l.id, l.at, l.direction
    FROM (VALUES (c.last_message_id, c.last_message_at, c.last_direction),
      (EXCLUDED.last_message_id, EXCLUDED.last_message_at, EXCLUDED.last_direction)) AS l (id, at, direction)
    ORDER BY l.at DESC, l.id DESC LIMIT 1)`;

/** Keeps messages that came in in the table `messages`, written in sets, and their conversations. */
@Injectable()
export class TypeOrmInboundStore extends InboundStore {
  constructor(private readonly database: Database) {
    super();
  }

  phonesOf(people: readonly KnownByUserId[]): Promise<(KnownByUserId & { phone: string })[]> {
    return this.database.rows(PHONES, [people.map((p) => p.accountId), people.map((p) => p.userId)]);
  }

  async add(messages: readonly PlacedMessage[]): Promise<Set<string>> {
    const column = <T>(of: (message: PlacedMessage) => T): T[] => messages.map(of);
    const rows = await this.database.rows<{ id: string }>(ADD, [
      column((m) => m.id),
      column((m) => m.accountId),
      column((m) => m.conversationId),
      column((m) => m.type),
      column((m) => m.phone),
      column((m) => m.userId),
      column((m) => JSON.stringify(m.content)),
      column((m) => m.platformMessageId),
      column((m) => m.placedAt),
    ]);
    return new Set(rows.map(({ id }) => id));
  }

  async keepUp(news: readonly ConversationNews[]): Promise<void> {
    const column = <T>(of: (one: ConversationNews) => T): T[] => news.map(of);
    await this.database.execute(KEEP_UP, [
      column((n) => n.id),
      column((n) => n.accountId),
      column((n) => n.contactPhone),
      column((n) => n.userId),
      column((n) => n.profileName),
      column((n) => n.lastMessageId),
      column((n) => n.lastMessageAt),
      column((n) => n.unread),
      column((n) => n.windowExpiresAt),
    ]);
  }
}
