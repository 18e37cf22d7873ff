import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { Conversation } from '../domain/conversation';
import type { ConversationUpdate } from '../domain/conversation-update';
import {
  type ConversationRange,
  ConversationStore,
  type IdentifiedPerson,
  type KnownByUserId,
  type PersonNames,
  type PositionedConversation,
  type SeparatedConversations,
  type UnreadConversation,
} from '../domain/conversation-store.port';
import { conversationId } from '../../messages/domain/conversation-id';
import type { TimeCursor } from '../../../kernel/time-cursor';
import { cursorTime, KEEP_INDEX_ORDER } from '../../../infra/database/keyset-lists.sql';
import { CONVERSATION_COLUMNS } from './conversation-columns.sql';

/** `OFFSET 0` makes the planner look up each person by an index, with or without statistics. */
const CONTACT_NAMES = `
SELECT p.id, COALESCE(by_phone.name, by_user.name) AS name, COALESCE(by_phone.username, by_user.username) AS username
FROM unnest($2::uuid[], $3::text[], $4::text[]) AS p (id, phone_key, user_id)
LEFT JOIN LATERAL (
  SELECT name, username FROM contacts WHERE account_id = $1 AND phone_key = p.phone_key OFFSET 0) by_phone ON true
LEFT JOIN LATERAL (
  SELECT name, username FROM contacts WHERE account_id = $1 AND user_id = p.user_id OFFSET 0) by_user ON true
WHERE COALESCE(by_phone.name, by_user.name, by_phone.username, by_user.username) IS NOT NULL`;

const PHONES = `
SELECT p.account AS "accountId", p.user_id AS "userId", known.contact_phone AS phone
FROM unnest($1::uuid[], $2::text[]) AS p (account, user_id)
CROSS JOIN LATERAL (
  SELECT contact_phone FROM conversations
  WHERE account_id = p.account AND contact_user_id = p.user_id AND contact_phone IS NOT NULL
  ORDER BY last_message_at DESC LIMIT 1
) AS known`;

/** $1 accounts, $2 how many of each: the beginnings of an index that has unread conversations only; $3 more of them, by id.
 * IS TRUE keeps the planner from reading that index for them. */
const UNREAD = `
SELECT c.account_id AS "accountId", c.id AS "conversationId", c.unread_count AS "unreadCount"
FROM conversations c WHERE (c.unread_count > 0) IS TRUE AND c.id = ANY($3::uuid[] || ARRAY(
  SELECT latest.id FROM unnest($1::uuid[]) AS a (id) CROSS JOIN LATERAL (
    SELECT id FROM conversations WHERE account_id = a.id AND unread_count > 0
    ORDER BY last_message_at DESC, id DESC LIMIT $2) latest))
ORDER BY c.last_message_at DESC, c.id DESC`;

const APPLY_INBOUND = `
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

/** Looks each conversation up by its id, and locks those that change in the order of their ids. */
const LINK_USER_IDS = `
WITH changing AS (
  SELECT c.id, p.user_id FROM unnest($1::uuid[], $2::text[]) AS p (id, user_id)
  CROSS JOIN LATERAL (SELECT id, contact_user_id FROM conversations WHERE id = p.id OFFSET 0) c
  WHERE c.contact_user_id IS DISTINCT FROM p.user_id),
held AS (SELECT id FROM conversations WHERE id = ANY(ARRAY(SELECT id FROM changing)) ORDER BY id FOR UPDATE)
UPDATE conversations c SET contact_user_id = n.user_id FROM changing n
WHERE c.id = n.id AND c.id IN (SELECT id FROM held)
RETURNING c.id`;

/** `OFFSET 0` makes the planner look up each person by an index, with or without statistics. */
const SEPARATED = `
SELECT p.account AS "accountId", hidden.id AS "fromId", known.id AS "intoId"
FROM unnest($1::uuid[], $2::text[]) AS p (account, user_id)
CROSS JOIN LATERAL (
  SELECT id FROM conversations WHERE account_id = p.account AND contact_user_id = p.user_id AND contact_phone IS NULL OFFSET 0
) hidden
CROSS JOIN LATERAL (
  SELECT id FROM conversations WHERE account_id = p.account AND contact_user_id = p.user_id AND contact_phone IS NOT NULL
  ORDER BY last_message_at DESC LIMIT 1
) known`;

const HOLD_BOTH = `
SELECT id, contact_user_id AS "userId", contact_phone IS NULL AS "isHidden" FROM conversations
WHERE account_id = $1 AND id IN ($2, $3) ORDER BY id FOR UPDATE`;

const FOLD = `
UPDATE conversations c SET unread_count = c.unread_count + f.unread_count,
  window_expires_at = GREATEST(c.window_expires_at, f.window_expires_at),
  profile_name = COALESCE(c.profile_name, f.profile_name),
  (last_message_id, last_message_at, last_direction) = (
    SELECT l.id, l.at, l.direction
    FROM (VALUES (c.last_message_id, c.last_message_at, c.last_direction),
      (f.last_message_id, f.last_message_at, f.last_direction)) AS l (id, at, direction)
    ORDER BY l.at DESC, l.id DESC LIMIT 1)
FROM conversations f WHERE f.id = $1 AND c.id = $2`;

/** Conversations in the table `conversations`, with the names that `contacts` has. */
@Injectable()
export class PostgresConversationStore extends ConversationStore {
  constructor(private readonly database: Database) {
    super();
  }

  list(accountId: string, { after, limit, unread }: ConversationRange): Promise<PositionedConversation[]> {
    return this.database.transaction(async () => {
      await this.database.execute(KEEP_INDEX_ORDER);
      const rows = await this.database.rows<Conversation & Pick<TimeCursor, 'at'>>(
        `SELECT ${CONVERSATION_COLUMNS}, ${cursorTime('last_message_at')} AS at FROM conversations
         WHERE account_id = $1 ${unread ? 'AND unread_count > 0' : ''}
           ${after ? 'AND (last_message_at, id) < ($3::timestamptz, $4::uuid)' : ''}
         ORDER BY last_message_at DESC, id DESC LIMIT $2::int`,
        after ? [accountId, limit, after.at, after.id] : [accountId, limit],
      );
      return rows.map(({ at, ...conversation }) => ({ conversation, position: { at, id: conversation.id } }));
    });
  }

  unread(accountIds: readonly string[], limit: number, known: readonly string[]): Promise<UnreadConversation[]> {
    return this.database.rows<UnreadConversation>(UNREAD, [accountIds, limit, known]);
  }

  async countUnread(accountId: string): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM conversations WHERE account_id = $1 AND unread_count > 0',
      [accountId],
    );
    return row?.count ?? 0;
  }

  find(accountId: string, conversationId: string): Promise<Conversation | null> {
    return this.one(accountId, conversationId, '');
  }

  lock(accountId: string, conversationId: string): Promise<Conversation | null> {
    return this.one(accountId, conversationId, 'FOR UPDATE');
  }

  async contactNames(accountId: string, conversations: readonly Conversation[]): Promise<Map<string, PersonNames>> {
    const rows = await this.database.rows<PersonNames & { id: string }>(CONTACT_NAMES, [
      accountId,
      conversations.map(({ id }) => id),
      conversations.map(({ contactPhone }) => contactPhone),
      conversations.map(({ userId }) => userId),
    ]);
    return new Map(rows.map(({ id, ...names }) => [id, names]));
  }

  async setUnread(conversationId: string, count: number): Promise<void> {
    await this.database.execute('UPDATE conversations SET unread_count = $2 WHERE id = $1', [conversationId, count]);
  }

  phonesOf(people: readonly KnownByUserId[]): Promise<IdentifiedPerson[]> {
    return this.database.rows(PHONES, [people.map((p) => p.accountId), people.map((p) => p.userId)]);
  }

  async linkUserIds(people: readonly IdentifiedPerson[]): Promise<IdentifiedPerson[]> {
    const byId = new Map(people.map((one) => [conversationId(one.accountId, one.phone), one]));
    const rows = await this.database.rows<{ id: string }>(LINK_USER_IDS, [
      [...byId.keys()],
      [...byId.values()].map(({ userId }) => userId),
    ]);
    return rows.map(({ id }) => byId.get(id)!);
  }

  async changeUserId(accountId: string, before: string, after: string): Promise<void> {
    await this.database.execute(
      `UPDATE conversations SET contact_user_id = $3 WHERE id = ANY(ARRAY(
         SELECT id FROM conversations WHERE account_id = $1 AND contact_user_id = $2 ORDER BY id FOR UPDATE))`,
      [accountId, before, after],
    );
  }

  separated(people: readonly KnownByUserId[]): Promise<SeparatedConversations[]> {
    const once = [...new Map(people.map((one) => [`${one.accountId} ${one.userId}`, one])).values()];
    return this.database.rows(SEPARATED, [once.map((p) => p.accountId), once.map((p) => p.userId)]);
  }

  async fold({ accountId, fromId, intoId }: SeparatedConversations): Promise<boolean> {
    const held = await this.database.rows<{ id: string; userId: string | null; isHidden: boolean }>(HOLD_BOTH, [
      accountId,
      fromId,
      intoId,
    ]);
    const from = held.find(({ id, isHidden }) => id === fromId && isHidden);
    const into = held.find(({ id, isHidden }) => id === intoId && !isHidden);
    if (!from || from.userId !== into?.userId) return false;
    await this.database.execute(FOLD, [fromId, intoId]);
    await this.database.execute('UPDATE conversations SET unread_count = 0 WHERE id = $1 AND unread_count > 0', [
      fromId,
    ]);
    return true;
  }

  async finishJoin({ accountId, fromId, intoId }: SeparatedConversations): Promise<boolean> {
    const { affected } = await this.database.execute(
      'DELETE FROM conversations WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM messages WHERE conversation_id = $1 OFFSET 0)',
      [fromId],
    );
    if (affected === 0) return false;
    await this.database.execute(
      `INSERT INTO joined_conversations (id, account_id, conversation_id) VALUES ($1, $2, $3)
       ON CONFLICT (id) DO UPDATE SET conversation_id = EXCLUDED.conversation_id`,
      [fromId, accountId, intoId],
    );
    return true;
  }

  async applyInbound(updates: readonly ConversationUpdate[]): Promise<void> {
    const column = <T>(of: (one: ConversationUpdate) => T): T[] => updates.map(of);
    await this.database.execute(APPLY_INBOUND, [
      column((u) => u.id),
      column((u) => u.accountId),
      column((u) => u.contactPhone),
      column((u) => u.userId),
      column((u) => u.profileName),
      column((u) => u.lastMessageId),
      column((u) => u.lastMessageAt),
      column((u) => u.unread),
      column((u) => u.windowExpiresAt),
    ]);
  }

  private async one(accountId: string, conversationId: string, lock: '' | 'FOR UPDATE'): Promise<Conversation | null> {
    const read = async (id: string) => {
      const [found] = await this.database.rows<Conversation>(
        `SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE id = ${id} AND account_id = $2 ${lock}`,
        [conversationId, accountId],
      );
      return found ?? null;
    };
    return (await read('$1')) ?? read('(SELECT conversation_id FROM joined_conversations WHERE id = $1)');
  }
}
