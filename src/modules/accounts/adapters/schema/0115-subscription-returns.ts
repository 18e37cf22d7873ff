import { buildIndex } from '../../../../infra/database/concurrent-indexes';
import type { Migration } from '../../../../infra/database/migrations';

/**
 * Webhook subscriptions to return to the platform, after the deletion of a sender or of its account. return_due_at: the time of the next
 * attempt, or the end of the lease of the process that makes it; infinity: done; NULL: the sender is not deleted. return_until: when the
 * last attempt may be made; until then a deleted sender keeps its access token and app secret.
 */
export const SUBSCRIPTION_RETURNS: Migration = {
  name: '0115-accounts-subscription-returns',
  transaction: false,
  statements: [
    `ALTER TABLE senders ADD COLUMN IF NOT EXISTS return_due_at timestamptz, ADD COLUMN IF NOT EXISTS return_until timestamptz`,
    // TAKE_RETURNS (senders.sql.ts): those that are not done.
    ...buildIndex('senders_to_return', `senders (return_due_at) WHERE return_due_at < 'infinity'`),
  ],
};
