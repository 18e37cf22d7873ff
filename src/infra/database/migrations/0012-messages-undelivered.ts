import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Messages that the platform accepted and did not deliver get a status of their own; they were `Failed` before. */
export class MessagesUndelivered1790000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
DO $$
DECLARE
  done uuid := '00000000-0000-0000-0000-000000000000';
  last uuid;
BEGIN
  LOOP
    SELECT id INTO last FROM (SELECT id FROM messages WHERE id > done ORDER BY id LIMIT 5000) next ORDER BY id DESC LIMIT 1;
    EXIT WHEN last IS NULL;
    UPDATE messages SET status = 'Undelivered'
    WHERE id > done AND id <= last AND status = 'Failed' AND sent_at IS NOT NULL;
    done := last;
  END LOOP;
END $$;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
