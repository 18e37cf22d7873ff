import { buildIndex } from '../../../../infra/database/concurrent-indexes';
import type { Migration } from '../../../../infra/database/migrations';

/**
 * Lists the conversations whose person waits for a reply, the longest waiting first. Those that already wait have no
 * time; that of their latest message counts. A process of the version before leaves the time of an earlier wait, until the next reply.
 */
export const WAITING_SINCE: Migration = {
  name: '0119-chat-history-waiting-since',
  transaction: false,
  statements: [
    'ALTER TABLE conversations ADD COLUMN IF NOT EXISTS waiting_since timestamptz',
    ...buildIndex(
      'conversations_waiting',
      `conversations (account_id, COALESCE(waiting_since, last_message_at), id)
       WHERE state = 'Open' AND answered_inbound_id IS DISTINCT FROM last_inbound_id`,
    ),
  ],
};
