import { buildIndex } from '../../../../infra/database/concurrent-indexes';
import type { Migration } from '../../../../infra/database/migrations';

/** Finds conversations by the end of a number. Without those of people who have never written, so that a campaign does not write to it. */
export const NUMBER_ENDS: Migration = {
  name: '0112-chat-history-number-ends',
  transaction: false,
  statements: buildIndex(
    'conversations_by_number_end',
    `conversations (account_id, (reverse(contact_phone) COLLATE "C")) WHERE state IS NOT NULL`,
  ),
};
