import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { InboundRecord } from '../domain/inbound-message';
import { InboundMessageStore } from '../domain/inbound-message-store.port';

const ADD = `
INSERT INTO messages (id, account_id, conversation_id, direction, type, contact_phone, contact_user_id, content, status,
  platform_message_id, created_at)
SELECT id, account, conversation, 'Inbound', type, phone, user_id, content, 'Received', platform_id, at
FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::jsonb[], $8::text[],
  $9::timestamptz[]) AS m (id, account, conversation, type, phone, user_id, content, platform_id, at)
ON CONFLICT (id) DO NOTHING
RETURNING id`;

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
    ]);
    return new Set(rows.map(({ id }) => id));
  }
}
