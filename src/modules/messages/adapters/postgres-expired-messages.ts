import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { cursorTime } from '../../../infra/database/keyset-lists.sql';
import { beforeMoment, decodeCursor, encodeCursor, type TimeCursor } from '../../../kernel/time-cursor';
import { ExpiredMessages } from '../domain/expired-messages.port';
import type { ExpiredMessage, Expiry } from '../domain/retention';

const READ = `
SELECT id, job_id AS "jobId", direction = 'Inbound' AS "isInbound", ${cursorTime('created_at')} AS at FROM messages
WHERE account_id = $1 AND created_at < $2 AND (created_at, id) > ($3::timestamptz, $4::uuid)
ORDER BY created_at, id LIMIT $5`;

const LOCK = `SELECT id FROM messages WHERE id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED`;
const REMOVE = `DELETE FROM messages WHERE id = ANY($1::uuid[])`;

const FIRST = beforeMoment(new Date(0));

/** Deletes from `messages`; skips locked rows, so it never waits or deadlocks. */
@Injectable()
export class PostgresExpiredMessages extends ExpiredMessages {
  constructor(private readonly database: Database) {
    super();
  }

  async read(
    { accountId, before }: Expiry,
    cursor: string | null,
    limit: number,
  ): Promise<{ messages: ExpiredMessage[]; next: string | null }> {
    const { at, id } = (cursor === null ? null : decodeCursor(cursor)) ?? FIRST;
    const rows = await this.database.rows<ExpiredMessage & TimeCursor>(READ, [accountId, before, at, id, limit]);
    const last = rows.at(-1);
    return {
      messages: rows.map(({ id: messageId, jobId, isInbound }) => ({ id: messageId, jobId, isInbound })),
      next: last && rows.length === limit ? encodeCursor(last) : null,
    };
  }

  async remove(messageIds: readonly string[]): Promise<string[]> {
    const ids = (await this.database.rows<{ id: string }>(LOCK, [messageIds])).map(({ id }) => id);
    if (ids.length > 0) await this.database.execute(REMOVE, [ids]);
    return ids;
  }
}
