import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who did what with keys, accounts, senders and erasures. */
export class AccountsAuditLog1790000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE audit_log (
  id uuid PRIMARY KEY,
  -- The account that it is about; actor_account_id is the one of the key that did it.
  account_id uuid NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  actor_account_id uuid NOT NULL,
  key_prefix text NOT NULL,
  address text,
  action text NOT NULL,
  target_id uuid,
  fields text[] NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX audit_log_by_account ON audit_log (account_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_time ON audit_log (created_at DESC, id DESC);`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
