import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { lowestIdAt } from '../../../infra/database/message-partition';
import type { Conversation } from '../domain/conversation';
import { ConversationErasureStore, type ErasedMessage } from '../domain/conversation-erasure-store.port';
import { conversationOf, type ConversationRow, SELECT_CONVERSATIONS } from './conversation-rows';

const MOST_CONVERSATIONS = 100;

/** Of one user id an account has one conversation, or two. */
const FIND = `
${SELECT_CONVERSATIONS} WHERE id = ANY($2::uuid[]) AND account_id = $1
UNION
(${SELECT_CONVERSATIONS} WHERE account_id = $1 AND contact_user_id = $3 LIMIT ${MOST_CONVERSATIONS})`;

const CHOOSE = `
SELECT id FROM messages WHERE conversation_id = $1 AND ($3::uuid IS NULL OR id < $3) ORDER BY created_at, id LIMIT $2::int`;

/** In the order in which everybody else locks messages. */
const LOCK = `SELECT id FROM messages WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`;

/** The platform's id goes too: the number is written in it. */
const ERASE = `
UPDATE messages SET conversation_id = NULL, contact_phone = NULL, contact_user_id = NULL, parameters = NULL, content = NULL,
  platform_message_id = NULL, reference = NULL
WHERE id = ANY($1::uuid[]) AND account_id = $2
RETURNING id, direction`;

/** Takes contents and people out of `messages` and removes rows of `conversations`. */
@Injectable()
export class TypeOrmConversationErasureStore extends ConversationErasureStore {
  constructor(private readonly database: Database) {
    super();
  }

  async conversations(accountId: string, ids: readonly string[], userId: string | null): Promise<Conversation[]> {
    return (await this.database.rows<ConversationRow>(FIND, [accountId, ids, userId])).map(conversationOf);
  }

  async eraseMessages(
    accountId: string,
    conversationId: string,
    madeBefore: Date | null,
    limit: number,
  ): Promise<ErasedMessage[]> {
    const bound = madeBefore && lowestIdAt(madeBefore);
    const chosen = await this.database.rows<{ id: string }>(CHOOSE, [conversationId, limit, bound]);
    if (chosen.length === 0) return [];
    const ids = chosen.map(({ id }) => id);
    await this.database.execute(LOCK, [ids]);
    return this.database.rows<ErasedMessage>(ERASE, [ids, accountId]);
  }

  async removeEmpty(accountId: string, conversationId: string): Promise<boolean> {
    // Whoever records a message writes its conversation too: it has done so before this lock, or waits for it.
    await this.database.execute('SELECT 1 FROM conversations WHERE id = $1 AND account_id = $2 FOR UPDATE', [
      conversationId,
      accountId,
    ]);
    const [left] = await this.database.rows('SELECT 1 FROM messages WHERE conversation_id = $1 LIMIT 1', [
      conversationId,
    ]);
    if (left) return false;
    await this.database.execute('DELETE FROM conversations WHERE id = $1 AND account_id = $2', [
      conversationId,
      accountId,
    ]);
    return true;
  }
}
