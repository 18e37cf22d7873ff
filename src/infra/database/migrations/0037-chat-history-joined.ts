import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ids of conversations that were joined to another one: clients that know the earlier id find what became of it. */
export class ChatHistoryJoined1790000000037 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
CREATE TABLE joined_conversations (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL,
  conversation_id uuid NOT NULL REFERENCES conversations (id) ON DELETE CASCADE
);
CREATE INDEX joined_conversations_by_conversation ON joined_conversations (conversation_id);`);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('Migrations only go forward: to go back, restore a backup.'));
  }
}
