import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { IdentifiedPerson, KnownByUserId } from '../../groups/domain/identified-person';
import type { ChosenState, Conversation } from '../domain/conversation';
import {
  type ConversationFilter,
  type ConversationOrder,
  type ConversationRange,
  ConversationStore,
  type PersonNames,
  type PositionedConversation,
  type SplitConversation,
  type ConversationVersion,
  type UnreadConversation,
  type ConversationUpdate,
} from '../domain/conversation-store.port';
import { conversationId } from '../../messages/domain/conversation-id';
import type { TimeCursor } from '../../../kernel/time-cursor';
import { endsWith } from '../../../infra/database/number-ends.sql';
import { cursorTime, KEEP_INDEX_ORDER } from '../../../infra/database/keyset-lists.sql';
import {
  awaitsReply,
  CONVERSATION_COLUMNS,
  mayBeAnswered,
  waitingSince,
  waitingSinceOrNull,
} from './conversation-columns.sql';
import { COUNT_UNREAD, FOLD_UNREAD, LOCK_COUNTS } from './unread-counts.sql';

/** `OFFSET 0` makes the planner look up each person by an index, with or without statistics. */
const CONTACT_NAMES = `
SELECT p.id, COALESCE(by_phone.name, by_user.name) AS name, COALESCE(by_phone.username, by_user.username) AS username
FROM unnest($2::uuid[], $3::text[], $4::text[]) AS p (id, phone_key, user_id)
LEFT JOIN LATERAL (
  SELECT name, username FROM contacts WHERE account_id = $1 AND phone_key = p.phone_key OFFSET 0) by_phone ON true
LEFT JOIN LATERAL (
  SELECT name, username FROM contacts WHERE account_id = $1 AND user_id = p.user_id OFFSET 0) by_user ON true
WHERE COALESCE(by_phone.name, by_user.name, by_phone.username, by_user.username) IS NOT NULL`;

/**
 * $1 accounts, $2 limit per account, read from the partial index of unread conversations; $3 further conversations by
 * id, for which IS TRUE keeps the planner off that index.
 */
const UNREAD = `
SELECT c.account_id AS "accountId", c.id AS "conversationId", c.unread_count AS "unreadCount",
  c.last_message_at AS "lastMessageAt"
FROM conversations c WHERE (c.unread_count > 0) IS TRUE AND c.id = ANY($3::uuid[] || ARRAY(
  SELECT latest.id FROM unnest($1::uuid[]) AS a (id) CROSS JOIN LATERAL (
    SELECT id FROM conversations WHERE account_id = a.id AND unread_count > 0
    ORDER BY last_message_at DESC, id DESC LIMIT $2) latest))
ORDER BY c.last_message_at DESC, c.id DESC`;

/** $1 accounts, $2 limit per account and state. Without those of people who have never written, which a campaign changes. */
const LATEST = `
SELECT a.id AS "accountId", c.id AS "conversationId", c.last_message_at AS "lastMessageAt",
  c.last_message_id || ' ' || c.state AS version
FROM unnest($1::uuid[]) AS a (id) CROSS JOIN unnest('{Open,Done}'::text[]) AS s (state) CROSS JOIN LATERAL (
  SELECT id, last_message_id, last_message_at, state FROM conversations WHERE account_id = a.id AND state = s.state
  ORDER BY last_message_at DESC, id DESC LIMIT $2) c`;

const LATEST_INBOUND = `CASE WHEN EXCLUDED.window_expires_at >= COALESCE(c.window_expires_at, '-infinity')
    THEN COALESCE(EXCLUDED.last_inbound_id, c.last_inbound_id) ELSE COALESCE(c.last_inbound_id, EXCLUDED.last_inbound_id) END`;

/** A keyword needs no reply: it leaves an answered conversation answered. */
const APPLY_INBOUND = `
INSERT INTO conversations AS c (id, account_id, contact_phone, contact_user_id, profile_name, last_message_id,
  last_message_at, last_direction, unread_count, window_expires_at, sender_id, last_inbound_id, state, answered_inbound_id, waiting_since)
SELECT id, account, phone, user_id, name, message, at, 'Inbound', unread, expires, sender, inbound, state,
  CASE WHEN state IS DISTINCT FROM 'Open' THEN inbound END, waiting
FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::timestamptz[], $8::int[],
  $9::timestamptz[], $10::uuid[], $11::uuid[], $12::text[], $13::timestamptz[])
  AS n (id, account, phone, user_id, name, message, at, unread, expires, sender, inbound, state, waiting)
ON CONFLICT (id) DO UPDATE SET
  contact_phone = COALESCE(c.contact_phone, EXCLUDED.contact_phone),
  contact_user_id = COALESCE(EXCLUDED.contact_user_id, c.contact_user_id),
  profile_name = COALESCE(EXCLUDED.profile_name, c.profile_name),
  unread_count = c.unread_count + EXCLUDED.unread_count,
  sender_id = CASE WHEN EXCLUDED.window_expires_at >= COALESCE(c.window_expires_at, '-infinity') THEN EXCLUDED.sender_id
    ELSE c.sender_id END,
  last_inbound_id = ${LATEST_INBOUND},
  answered_inbound_id = CASE WHEN EXCLUDED.state = 'Open' THEN NULL
    WHEN c.answered_inbound_id IS DISTINCT FROM c.last_inbound_id THEN c.answered_inbound_id ELSE ${LATEST_INBOUND} END,
  waiting_since = CASE WHEN EXCLUDED.state = 'Open' THEN LEAST(${waitingSinceOrNull('c.')}, EXCLUDED.waiting_since)
    ELSE c.waiting_since END,
  state = CASE WHEN c.state = 'Open' THEN 'Open' ELSE COALESCE(EXCLUDED.state, c.state) END,
  window_expires_at = GREATEST(c.window_expires_at, EXCLUDED.window_expires_at),
  (last_message_id, last_message_at, last_direction) = (
    SELECT l.id, l.at, l.direction
    FROM (VALUES (c.last_message_id, c.last_message_at, c.last_direction),
      (EXCLUDED.last_message_id, EXCLUDED.last_message_at, EXCLUDED.last_direction)) AS l (id, at, direction)
    ORDER BY l.at DESC, l.id DESC LIMIT 1)`;

/**
 * Looks up each conversation by id; locks the changing ones in id order. A person who was written to by user id only gets a
 * conversation for the number, into which the other one is joined.
 */
const LINK_USER_IDS = `
WITH known AS (
  SELECT p.*, c.id IS NOT NULL AS exists, c.contact_user_id IS DISTINCT FROM p.user_id AS changes
  FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[]) AS p (id, user_id, account, phone)
  LEFT JOIN LATERAL (SELECT id, contact_user_id FROM conversations WHERE id = p.id OFFSET 0) c ON true),
held AS (
  SELECT id FROM conversations WHERE id = ANY(ARRAY(SELECT id FROM known WHERE exists AND changes)) ORDER BY id FOR UPDATE),
linked AS (
  UPDATE conversations c SET contact_user_id = n.user_id FROM known n
  WHERE c.id = n.id AND c.id IN (SELECT id FROM held)
  RETURNING c.id),
opened AS (
  INSERT INTO conversations (id, account_id, contact_phone, contact_user_id, profile_name, last_message_id, last_message_at,
    last_direction)
  SELECT n.id, n.account, n.phone, n.user_id, h.profile_name, h.last_message_id, h.last_message_at, h.last_direction
  FROM known n CROSS JOIN LATERAL (
    SELECT * FROM conversations
    WHERE account_id = n.account AND contact_user_id = n.user_id AND contact_phone IS NULL OFFSET 0) h
  WHERE NOT n.exists ORDER BY n.id
  ON CONFLICT (id) DO NOTHING
  RETURNING id)
SELECT id FROM linked UNION ALL SELECT id FROM opened`;

/** `OFFSET 0` makes the planner look up each person by an index, with or without statistics. */
const FIND_SPLIT = `
SELECT p.account AS "accountId", hidden.id AS "fromId", known.id AS "intoId"
FROM unnest($1::uuid[], $2::text[]) AS p (account, user_id)
CROSS JOIN LATERAL (
  SELECT id FROM conversations WHERE account_id = p.account AND contact_user_id = p.user_id AND contact_phone IS NULL OFFSET 0
) hidden
CROSS JOIN LATERAL (
  SELECT id FROM conversations WHERE account_id = p.account AND contact_user_id = p.user_id AND contact_phone IS NOT NULL
  ORDER BY last_message_at DESC LIMIT 1
) known`;

const LOCK_BOTH = `
SELECT id, contact_user_id AS "userId", contact_phone IS NULL AS "isHidden" FROM conversations
WHERE account_id = $1 AND id IN ($2, $3) ORDER BY id FOR UPDATE`;

const LATEST_OF_BOTH = `CASE WHEN f.window_expires_at > COALESCE(c.window_expires_at, '-infinity')
    THEN COALESCE(f.last_inbound_id, c.last_inbound_id) ELSE COALESCE(c.last_inbound_id, f.last_inbound_id) END`;

const MERGE = `
UPDATE conversations c SET unread_count = c.unread_count + f.unread_count,
  sender_id = CASE WHEN f.window_expires_at > COALESCE(c.window_expires_at, '-infinity') THEN f.sender_id ELSE c.sender_id END,
  last_inbound_id = ${LATEST_OF_BOTH},
  answered_inbound_id = CASE
    WHEN COALESCE(${waitingSinceOrNull('c.')}, ${waitingSinceOrNull('f.')}) IS NOT NULL THEN NULL
    ELSE ${LATEST_OF_BOTH} END,
  waiting_since = LEAST(${waitingSinceOrNull('c.')}, ${waitingSinceOrNull('f.')}),
  state = CASE WHEN 'Open' IN (c.state, f.state) THEN 'Open' ELSE COALESCE(c.state, f.state) END,
  window_expires_at = GREATEST(c.window_expires_at, f.window_expires_at),
  profile_name = COALESCE(c.profile_name, f.profile_name),
  (last_message_id, last_message_at, last_direction) = (
    SELECT l.id, l.at, l.direction
    FROM (VALUES (c.last_message_id, c.last_message_at, c.last_direction),
      (f.last_message_id, f.last_message_at, f.last_direction)) AS l (id, at, direction)
    ORDER BY l.at DESC, l.id DESC LIMIT 1)
FROM conversations f WHERE f.id = $1 AND c.id = $2`;

/** $1 account, $2 id, $3 state. */
const SET_STATE = `
UPDATE conversations SET state = $3 WHERE account_id = $1 AND id = COALESCE(
  (SELECT id FROM conversations WHERE id = $2::uuid), (SELECT conversation_id FROM joined_conversations WHERE id = $2::uuid))
RETURNING ${CONVERSATION_COLUMNS}`;

/** Numbers of which the latest are chosen: in a range of numbers all may end alike. */
const MOST_ENDING_ALIKE = 1000;

/** An order of the list: the time it follows, its direction, and the comparison of a position with the ones after it. */
const ORDERS: Readonly<Record<ConversationOrder, { time: string; direction: string; after: string }>> = {
  newest: { time: 'last_message_at', direction: 'DESC', after: '<' },
  longestWaiting: { time: waitingSince(), direction: 'ASC', after: '>' },
};

/** The conditions of a filter; adds its values. */
function conditionsOf({ unread, awaitingReply, state }: ConversationFilter, values: unknown[]): string {
  const isState = state === undefined ? '' : `AND state = $${values.push(state)}`;
  return `${unread ? 'AND unread_count > 0' : ''} ${awaitingReply ? `AND ${awaitsReply()} AND ${mayBeAnswered('conversations.')}` : ''} ${isState}`;
}

/** Conversations in the table `conversations`, with names from `contacts`. */
@Injectable()
export class PostgresConversationStore extends ConversationStore {
  constructor(private readonly database: Database) {
    super();
  }

  list(
    accountId: string,
    { after, limit, filter, order = 'newest' }: ConversationRange,
  ): Promise<PositionedConversation[]> {
    const values: unknown[] = [accountId, limit, ...(after ? [after.at, after.id] : [])];
    const conditions = conditionsOf(filter, values);
    const { time, direction, after: isAfter } = ORDERS[order];
    return this.database.transaction(async () => {
      await this.database.execute(KEEP_INDEX_ORDER);
      const rows = await this.database.rows<Conversation & Pick<TimeCursor, 'at'>>(
        `SELECT ${CONVERSATION_COLUMNS}, ${cursorTime(time)} AS at FROM conversations
         WHERE account_id = $1 ${conditions}
           ${after ? `AND (${time}, id) ${isAfter} ($3::timestamptz, $4::uuid)` : ''}
         ORDER BY ${time} ${direction}, id ${direction} LIMIT $2::int`,
        values,
      );
      return rows.map(({ at, ...conversation }) => ({ conversation, position: { at, id: conversation.id } }));
    });
  }

  withUserId(accountId: string, userId: string): Promise<Conversation[]> {
    return this.database.rows<Conversation>(
      `SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE account_id = $1 AND contact_user_id = $2
       ORDER BY last_message_at DESC, id DESC`,
      [accountId, userId],
    );
  }

  endingWith(
    accountId: string,
    digits: string,
    { limit, filter, order = 'newest' }: Omit<ConversationRange, 'after'>,
  ): Promise<Conversation[]> {
    const values: unknown[] = [accountId, digits, MOST_ENDING_ALIKE, limit];
    const { time, direction } = ORDERS[order];
    return this.database.rows<Conversation>(
      `SELECT ${CONVERSATION_COLUMNS} FROM conversations
       WHERE id = ANY(ARRAY(
         SELECT id FROM conversations
         WHERE account_id = $1 AND state IS NOT NULL AND ${endsWith('contact_phone', '$2')} LIMIT $3::int))
         ${conditionsOf(filter, values)}
       ORDER BY ${time} ${direction}, id ${direction} LIMIT $4::int`,
      values,
    );
  }

  unread(accountIds: readonly string[], limit: number, known: readonly string[]): Promise<UnreadConversation[]> {
    return this.database.rows<UnreadConversation>(UNREAD, [accountIds, limit, known]);
  }

  latest(accountIds: readonly string[], limit: number): Promise<ConversationVersion[]> {
    return this.database.rows<ConversationVersion>(LATEST, [accountIds, limit]);
  }

  async countUnread(accountId: string): Promise<number> {
    const [row] = await this.database.rows<{ count: number }>(COUNT_UNREAD, [accountId]);
    return row!.count;
  }

  foldUnread(limit: number): Promise<number> {
    return this.database.transaction(async () => {
      const [lock] = await this.database.rows<{ locked: boolean }>(LOCK_COUNTS);
      if (!lock!.locked) return 0;
      const [folded] = await this.database.rows<{ count: number }>(FOLD_UNREAD, [limit]);
      return folded!.count;
    });
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

  async setState(accountId: string, conversationId: string, state: ChosenState): Promise<Conversation | null> {
    const [changed] = await this.database.rows<Conversation>(SET_STATE, [accountId, conversationId, state]);
    return changed ?? null;
  }

  async setUnread(conversationId: string, count: number): Promise<void> {
    await this.database.execute('UPDATE conversations SET unread_count = $2 WHERE id = $1', [conversationId, count]);
  }

  async linkUserIds(people: readonly IdentifiedPerson[]): Promise<IdentifiedPerson[]> {
    const byId = new Map(people.map((one) => [conversationId(one.accountId, one.phone), one]));
    const rows = await this.database.rows<{ id: string }>(LINK_USER_IDS, [
      [...byId.keys()],
      [...byId.values()].map(({ userId }) => userId),
      [...byId.values()].map(({ accountId }) => accountId),
      [...byId.values()].map(({ phone }) => phone),
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

  findSplit(people: readonly KnownByUserId[]): Promise<SplitConversation[]> {
    const once = [...new Map(people.map((one) => [`${one.accountId} ${one.userId}`, one])).values()];
    return this.database.rows(FIND_SPLIT, [once.map((p) => p.accountId), once.map((p) => p.userId)]);
  }

  async merge({ accountId, fromId, intoId }: SplitConversation): Promise<boolean> {
    const held = await this.database.rows<{ id: string; userId: string | null; isHidden: boolean }>(LOCK_BOTH, [
      accountId,
      fromId,
      intoId,
    ]);
    const from = held.find(({ id, isHidden }) => id === fromId && isHidden);
    const into = held.find(({ id, isHidden }) => id === intoId && !isHidden);
    if (!from || from.userId !== into?.userId) return false;
    await this.database.execute(MERGE, [fromId, intoId]);
    await this.database.execute(
      'UPDATE conversations SET unread_count = 0, state = NULL WHERE id = $1 AND (unread_count > 0 OR state IS NOT NULL)',
      [fromId],
    );
    return true;
  }

  async finishJoin({ accountId, fromId, intoId }: SplitConversation): Promise<boolean> {
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
      column((u) => u.senderId),
      column((u) => u.lastInboundId),
      column((u) => u.state),
      column((u) => u.waitingSince),
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
