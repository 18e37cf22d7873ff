import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { phoneKey } from '../../../kernel/phone-number';
import type { Conversation } from '../domain/conversation';
import { ConversationStore, type PlacedConversation } from '../domain/conversation-store.port';
import type { Place } from '../domain/place';
import { KEEP_INDEX_ORDER } from './index-order.sql';
import { conversationOf, type ConversationRow, SELECT_CONVERSATIONS } from './conversation-rows';

/** `OFFSET 0` has each person looked up by a key of their own, with or without statistics. */
const CONTACT_NAMES = `
SELECT p.id, COALESCE(by_phone.name, by_user.name) AS name
FROM unnest($2::uuid[], $3::text[], $4::text[]) AS p (id, phone_key, user_id)
LEFT JOIN LATERAL (SELECT name FROM contacts WHERE account_id = $1 AND phone_key = p.phone_key OFFSET 0) by_phone ON true
LEFT JOIN LATERAL (SELECT name FROM contacts WHERE account_id = $1 AND user_id = p.user_id OFFSET 0) by_user ON true
WHERE COALESCE(by_phone.name, by_user.name) IS NOT NULL`;

/** Conversations in the table `conversations`, with the names that `contacts` has. */
@Injectable()
export class TypeOrmConversationStore extends ConversationStore {
  constructor(private readonly database: Database) {
    super();
  }

  list(accountId: string, after: Place | undefined, limit: number): Promise<PlacedConversation[]> {
    return this.database.transaction(async () => {
      await this.database.execute(KEEP_INDEX_ORDER);
      const rows = await this.database.rows<ConversationRow>(
        `${SELECT_CONVERSATIONS} WHERE account_id = $1 ${after ? 'AND (last_message_at, id) < ($3::timestamptz, $4::uuid)' : ''}
         ORDER BY last_message_at DESC, id DESC LIMIT $2::int`,
        after ? [accountId, limit, after.at, after.id] : [accountId, limit],
      );
      return rows.map((row) => ({ conversation: conversationOf(row), place: { at: row.at, id: row.id } }));
    });
  }

  find(accountId: string, conversationId: string): Promise<Conversation | null> {
    return this.one(`${SELECT_CONVERSATIONS} WHERE id = $1 AND account_id = $2`, accountId, conversationId);
  }

  lock(accountId: string, conversationId: string): Promise<Conversation | null> {
    return this.one(`${SELECT_CONVERSATIONS} WHERE id = $1 AND account_id = $2 FOR UPDATE`, accountId, conversationId);
  }

  async contactNames(accountId: string, conversations: readonly Conversation[]): Promise<Map<string, string>> {
    const rows = await this.database.rows<{ id: string; name: string }>(CONTACT_NAMES, [
      accountId,
      conversations.map(({ id }) => id),
      conversations.map(({ contactPhone }) => contactPhone && phoneKey(contactPhone)),
      conversations.map(({ userId }) => userId),
    ]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  async setUnread(conversationId: string, count: number): Promise<void> {
    await this.database.execute('UPDATE conversations SET unread_count = $2 WHERE id = $1', [conversationId, count]);
  }

  private async one(sql: string, accountId: string, conversationId: string): Promise<Conversation | null> {
    const [row] = await this.database.rows<ConversationRow>(sql, [conversationId, accountId]);
    return row ? conversationOf(row) : null;
  }
}
