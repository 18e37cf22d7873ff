import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { type OpenConversation, ReplyLookup } from '../domain/reply-lookup.port';

interface Row {
  id: string;
  contact_phone: string | null;
  contact_user_id: string | null;
  window_expires_at: Date | null;
}

/** Reads the tables `conversations` and `messages` by their keys. */
@Injectable()
export class TypeOrmReplyLookup extends ReplyLookup {
  constructor(private readonly database: Database) {
    super();
  }

  async conversation(accountId: string, id: string): Promise<OpenConversation | null> {
    const [row] = await this.database.rows<Row>(
      `SELECT id, contact_phone, contact_user_id, window_expires_at FROM conversations
       WHERE id = $1 AND account_id = $2`,
      [id, accountId],
    );
    if (!row) return null;
    return {
      id: row.id,
      contactPhone: row.contact_phone,
      userId: row.contact_user_id,
      windowExpiresAt: row.window_expires_at,
    };
  }

  async platformIds(conversationId: string, messageIds: readonly string[]): Promise<Map<string, string | null>> {
    const rows = await this.database.rows<{ id: string; platform_message_id: string | null }>(
      'SELECT id, platform_message_id FROM messages WHERE id = ANY($2::uuid[]) AND conversation_id = $1',
      [conversationId, messageIds],
    );
    return new Map(rows.map((row) => [row.id, row.platform_message_id]));
  }
}
