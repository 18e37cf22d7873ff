import { buildIndex } from '../../../../infra/database/concurrent-indexes';
import type { Migration } from '../../../../infra/database/migrations';

/**
 * The end of an account reads no table whole. Deleting its senders and templates looked for the rows that refer to each of them, without an
 * index: 30 million single sends exceeded the time limit of a statement, so the deletion never ended.
 *
 * Without these foreign keys nothing refers to a missing row: a sender and a template are deleted only with their account, after the
 * messages with their single sends and the jobs (AccountDeletion); `bulk_jobs.account_id` still refers to the account. Indexes instead
 * would cost each send and each change of a job's status more than the foreign keys cost.
 */
export const REMOVAL: Migration = {
  name: '0104-accounts-removal',
  transaction: false,
  statements: [
    'ALTER TABLE single_sends DROP CONSTRAINT IF EXISTS single_sends_sender_id_fkey',
    'ALTER TABLE bulk_jobs DROP CONSTRAINT IF EXISTS bulk_jobs_sender_id_fkey',
    'ALTER TABLE bulk_jobs DROP CONSTRAINT IF EXISTS bulk_jobs_revision_id_fkey',
    // Erasures are few: exports and deletes those of an account (also by its foreign key).
    ...buildIndex('erasures_by_account', 'erasures (account_id, id)'),
  ],
};
