import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { uuidV7 } from '../../../kernel/uuid';
import type { ClaimedFile, InboundFile, InboundState, KeptFile } from '../domain/inbound-file';
import { InboundMediaStore, type NewInboundFile } from '../domain/inbound-media-store.port';
import { ADD, CLAIM, FIND, FORGET, GIVE_UP, KEEP, POSTPONE, REMOVE } from './inbound-media.sql';

/** One statement touches no more rows than this. */
const MOST_ROWS = 1000;
const PROBLEM_LENGTH = 500;

interface ClaimedRow {
  message_id: string;
  account_id: string;
  platform_media_id: string;
  received_at: Date;
  state: InboundState | 'Removed';
  attempts: number;
}

interface FoundRow {
  state: InboundState;
  mime_type: string | null;
  size: string | null;
  problem: string | null;
}

/** Inbound media in the table `inbound_media`; times are those of the database, the one clock that all processes share. */
@Injectable()
export class TypeOrmInboundMediaStore extends InboundMediaStore {
  constructor(private readonly database: Database) {
    super();
  }

  async add(files: readonly NewInboundFile[]): Promise<void> {
    // In one order, so that two transactions with the same messages wait for each other and never in a circle.
    const sorted = [...files].sort((one, other) => (one.messageId < other.messageId ? -1 : 1));
    for (let at = 0; at < sorted.length; at += MOST_ROWS) {
      const part = sorted.slice(at, at + MOST_ROWS);
      await this.database.execute(ADD, [
        part.map(({ messageId }) => messageId),
        part.map(({ accountId }) => accountId),
        part.map(({ platformMediaId }) => platformMediaId),
        part.map(({ mimeType }) => mimeType),
        part.map(({ receivedAt }) => receivedAt),
        part.map(({ problem }) => problem),
      ]);
    }
  }

  async remove(messageIds: readonly string[]): Promise<void> {
    for (let at = 0; at < messageIds.length; at += MOST_ROWS) {
      await this.database.execute(REMOVE, [messageIds.slice(at, at + MOST_ROWS)]);
    }
  }

  async claim(limit: number, seconds: number): Promise<ClaimedFile[]> {
    const claim = uuidV7();
    const rows = await this.database.rows<ClaimedRow>(CLAIM, [limit, claim, seconds]);
    return rows.map((row) => ({
      messageId: row.message_id,
      accountId: row.account_id,
      platformMediaId: row.platform_media_id,
      receivedAt: row.received_at,
      errand: row.state === 'Removed' ? 'delete' : 'fetch',
      attempt: row.attempts,
      claim,
    }));
  }

  async keep({ messageId, claim }: ClaimedFile, { mimeType, size, sha256 }: KeptFile): Promise<boolean> {
    return (await this.database.execute(KEEP, [messageId, claim, mimeType, size, sha256])).affected === 1;
  }

  async postpone({ messageId, claim, errand }: ClaimedFile, seconds: number, problem: string | null): Promise<void> {
    const said = problem && storable(problem);
    await this.database.execute(POSTPONE, [messageId, claim, seconds, said, errand === 'fetch']);
  }

  async giveUp({ messageId, claim }: ClaimedFile, problem: string): Promise<void> {
    await this.database.execute(GIVE_UP, [messageId, claim, storable(problem)]);
  }

  async forget({ messageId }: ClaimedFile): Promise<void> {
    await this.database.execute(FORGET, [messageId]);
  }

  async knows(messageId: string): Promise<boolean> {
    const rows = await this.database.rows('SELECT FROM inbound_media WHERE message_id = $1', [messageId]);
    return rows.length > 0;
  }

  async find(accountId: string, messageId: string): Promise<InboundFile | null> {
    const [row] = await this.database.rows<FoundRow>(FIND, [accountId, messageId]);
    if (!row) return null;
    const { state, mime_type: mimeType, size, problem } = row;
    return { state, mimeType, size: size === null ? null : Number(size), problem };
  }
}

/** The problem may quote the platform: the database keeps no U+0000, and nobody reads more than this. */
function storable(problem: string): string {
  return problem.replace(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, PROBLEM_LENGTH);
}
