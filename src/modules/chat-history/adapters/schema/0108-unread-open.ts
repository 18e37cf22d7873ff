import type { Migration } from '../../../../infra/database/migrations';
import { buildIndex } from '../../../../infra/database/concurrent-indexes';

/** Counts and lists the unread open conversations of an account without reading the others, or the table. */
export const UNREAD_OPEN: Migration = {
  name: '0108-chat-history-unread-open',
  transaction: false,
  statements: buildIndex(
    'conversations_unread_open',
    `conversations (account_id, last_message_at DESC, id DESC) WHERE unread_count > 0 AND state = 'Open'`,
  ),
};
