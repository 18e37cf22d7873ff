import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { uuidV7 } from '../../../kernel/uuid';
import type { ClaimedFile, InboundFile, StoredFile } from '../domain/inbound-file';
import { InboundMediaStore, type NewInboundFile } from '../domain/inbound-media-store.port';
import { ADD, CLAIM, FIND, DELETE_RECORD, GIVE_UP, MARK_STORED, POSTPONE, REMOVE, WITHHELD } from './inbound-media.sql';

/** Maximum number of rows per statement. */
const MAX_ROWS = 1000;
const MAX_PROBLEM_LENGTH = 500;

/** Stores inbound media in `inbound_media`; times are the database's, so that all processes share one clock. */
@Injectable()
export class PostgresInboundMediaStore extends InboundMediaStore {
  constructor(private readonly database: Database) {
    super();
  }

  async add(files: readonly NewInboundFile[]): Promise<void> {
    // Sorted, so that two transactions with the same messages cannot deadlock.
    const sorted = [...files].sort((one, other) => (one.messageId < other.messageId ? -1 : 1));
    for (let at = 0; at < sorted.length; at += MAX_ROWS) {
      const part = sorted.slice(at, at + MAX_ROWS);
      await this.database.execute(ADD, [
        part.map(({ messageId }) => messageId),
        part.map(({ accountId }) => accountId),
        part.map(({ platformMediaId }) => platformMediaId),
        part.map(({ mimeType }) => mimeType),
        part.map(({ receivedAt }) => receivedAt),
        part.map(({ problem }) => problem),
        part.map(({ senderId }) => senderId),
      ]);
    }
  }

  async remove(messageIds: readonly string[]): Promise<void> {
    for (let at = 0; at < messageIds.length; at += MAX_ROWS) {
      await this.database.execute(REMOVE, [messageIds.slice(at, at + MAX_ROWS)]);
    }
  }

  claim(limit: number, seconds: number): Promise<ClaimedFile[]> {
    return this.database.rows<ClaimedFile>(CLAIM, [limit, uuidV7(), seconds]);
  }

  async withholds(): Promise<boolean> {
    return (await this.database.rows(WITHHELD)).length > 0;
  }

  async markStored({ messageId, claim }: ClaimedFile, { mimeType, size, sha256 }: StoredFile): Promise<boolean> {
    return (await this.database.execute(MARK_STORED, [messageId, claim, mimeType, size, sha256])).affected === 1;
  }

  async postpone({ messageId, claim, task }: ClaimedFile, seconds: number, problem: string | null): Promise<void> {
    const reason = problem && storable(problem);
    await this.database.execute(POSTPONE, [messageId, claim, seconds, reason, task === 'fetch']);
  }

  async giveUp({ messageId, claim }: ClaimedFile, problem: string): Promise<void> {
    await this.database.execute(GIVE_UP, [messageId, claim, storable(problem)]);
  }

  async deleteRecord({ messageId }: ClaimedFile): Promise<void> {
    await this.database.execute(DELETE_RECORD, [messageId]);
  }

  async hasRecord(messageId: string): Promise<boolean> {
    const rows = await this.database.rows('SELECT FROM inbound_media WHERE message_id = $1', [messageId]);
    return rows.length > 0;
  }

  async find(accountId: string, messageId: string): Promise<InboundFile | null> {
    const [file] = await this.database.rows<InboundFile>(FIND, [accountId, messageId]);
    return file ?? null;
  }
}

/** A problem may quote the platform: shortens it and removes control characters, as PostgreSQL cannot store U+0000. */
function storable(problem: string): string {
  return problem.replace(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, MAX_PROBLEM_LENGTH);
}
