import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The secret that a rotated key had before stays valid for a while. */
export class AccountsKeyOverlap1790000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE api_keys
  ADD COLUMN previous_prefix text,
  ADD COLUMN previous_secret_hash bytea,
  ADD COLUMN previous_valid_until timestamptz;
CREATE UNIQUE INDEX api_keys_by_previous_prefix ON api_keys (previous_prefix) WHERE previous_prefix IS NOT NULL;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
