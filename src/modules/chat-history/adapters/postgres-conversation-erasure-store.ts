import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { Conversation } from '../domain/conversation';
import { ConversationErasureStore } from '../domain/conversation-erasure-store.port';
import { CONVERSATION_COLUMNS } from './conversation-columns.sql';

const MAX_CONVERSATIONS = 100;

/** A user id has one or two conversations per account; ids of joined conversations match too. */
const FIND = `
SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE account_id = $1
  AND (id = ANY($2::uuid[]) OR id = ANY(ARRAY(SELECT conversation_id FROM joined_conversations WHERE id = ANY($2::uuid[]))))
UNION
(SELECT ${CONVERSATION_COLUMNS} FROM conversations WHERE account_id = $1 AND contact_user_id = $3 LIMIT ${MAX_CONVERSATIONS})`;

/** An erased message needs no reply. */
const END_WAITING = `
UPDATE conversations c SET answered_inbound_id = last_inbound_id
WHERE id = $1 AND account_id = $2 AND answered_inbound_id IS DISTINCT FROM last_inbound_id
  AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = c.last_inbound_id AND m.conversation_id = c.id)`;

/** Finds and removes the conversations of erased people. */
@Injectable()
export class PostgresConversationErasureStore extends ConversationErasureStore {
  constructor(private readonly database: Database) {
    super();
  }

  conversations(accountId: string, ids: readonly string[], userId: string | null): Promise<Conversation[]> {
    return this.database.rows<Conversation>(FIND, [accountId, ids, userId]);
  }

  async removeEmpty(accountId: string, conversationId: string): Promise<boolean> {
    // Recording a message updates its conversation: it either committed before this lock or waits for it.
    await this.database.execute('SELECT 1 FROM conversations WHERE id = $1 AND account_id = $2 FOR UPDATE', [
      conversationId,
      accountId,
    ]);
    const [left] = await this.database.rows('SELECT 1 FROM messages WHERE conversation_id = $1 LIMIT 1', [
      conversationId,
    ]);
    if (left) {
      await this.database.execute(END_WAITING, [conversationId, accountId]);
      return false;
    }
    await this.database.execute('DELETE FROM conversations WHERE id = $1 AND account_id = $2', [
      conversationId,
      accountId,
    ]);
    return true;
  }
}
