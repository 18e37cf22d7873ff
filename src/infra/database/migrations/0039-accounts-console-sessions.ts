import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is signed in to the console: the hash of a token, never the token. */
export class AccountsConsoleSessions1790000000039 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE console_sessions (
  token_hash bytea PRIMARY KEY,
  key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  key_prefix text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);
CREATE INDEX console_sessions_key ON console_sessions (key_id, last_used_at);
CREATE INDEX console_sessions_last_used ON console_sessions (last_used_at);`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
