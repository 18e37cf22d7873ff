import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The first account and its key are made without a key. */
export class AccountsAuditWithoutKey1790000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE audit_log ALTER COLUMN key_prefix DROP NOT NULL`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
