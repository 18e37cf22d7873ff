import type { Migration } from '../../../../infra/database/migrations';
import { buildIndex } from '../../../../infra/database/concurrent-indexes';

/** Lists the conversations of an account that wait for a reply without reading the others. */
export const AWAITING_REPLY: Migration = {
  name: '0103-chat-history-awaiting-reply',
  transaction: false,
  statements: buildIndex(
    'conversations_awaiting_reply',
    `conversations (account_id, last_message_at DESC, id DESC) WHERE state = 'Open' AND last_direction = 'Inbound'`,
  ),
};
