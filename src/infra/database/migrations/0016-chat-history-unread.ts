import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Unread conversations are found among a hundred thousand others without reading these. */
export class ChatHistoryUnread1790000000016 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE INDEX conversations_unread ON conversations (account_id, last_message_at DESC, id DESC) WHERE unread_count > 0;`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
