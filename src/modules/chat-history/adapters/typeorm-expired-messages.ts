import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { ExpiredMessages } from '../domain/expired-messages.port';
import type { ExpiredMessage, Expiry, RetentionStep } from '../domain/retention';

/** Times as text: a Date has no microseconds, and the cursor must not meet the same row again. */
const READ = `
SELECT id, job_id, direction, created_at::text AS at FROM messages
WHERE account_id = $1 AND created_at < $2 AND (created_at, id) > ($3::timestamptz, $4::uuid)
ORDER BY created_at, id LIMIT $5`;

const LOCK = `SELECT id FROM messages WHERE id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED`;
const REMOVE = `DELETE FROM messages WHERE id = ANY($1::uuid[])`;

/** Whoever records a message writes its conversation too, so a locked conversation gets none meanwhile. */
const LOCK_CONVERSATIONS = `
SELECT id, last_message_at::text AS at FROM conversations
WHERE account_id = $1 AND last_message_at < $2 AND (last_message_at, id) > ($3::timestamptz, $4::uuid)
ORDER BY last_message_at, id LIMIT $5 FOR UPDATE SKIP LOCKED`;

/** `OFFSET 0` lets nobody read the whole history at once: each conversation is looked up by itself. */
const EMPTY = `
SELECT c.id FROM unnest($1::uuid[]) AS c (id)
WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = c.id OFFSET 0)`;

const REMOVE_CONVERSATIONS = `DELETE FROM conversations WHERE id = ANY($1::uuid[])`;

const FIRST = '-infinity 00000000-0000-0000-0000-000000000000';

interface Position {
  id: string;
  at: string;
}

/** Deletes from `messages` and `conversations`; it only takes locks that are free, so it can neither wait nor deadlock. */
@Injectable()
export class TypeOrmExpiredMessages extends ExpiredMessages {
  constructor(private readonly database: Database) {
    super();
  }

  async read(
    { accountId, before }: Expiry,
    cursor: string | null,
    limit: number,
  ): Promise<{ messages: ExpiredMessage[]; next: string | null }> {
    const rows = await this.database.rows<Position & { job_id: string | null; direction: string }>(READ, [
      accountId,
      before,
      ...placeOf(cursor),
      limit,
    ]);
    return {
      messages: rows.map((row) => ({ id: row.id, jobId: row.job_id, isInbound: row.direction === 'Inbound' })),
      next: behind(rows, limit),
    };
  }

  async remove(messageIds: readonly string[]): Promise<string[]> {
    const ids = (await this.database.rows<{ id: string }>(LOCK, [messageIds])).map(({ id }) => id);
    if (ids.length > 0) await this.database.execute(REMOVE, [ids]);
    return ids;
  }

  async removeEmptyConversations(
    { accountId, before }: Expiry,
    cursor: string | null,
    limit: number,
  ): Promise<RetentionStep> {
    const locked = await this.database.rows<Position>(LOCK_CONVERSATIONS, [
      accountId,
      before,
      ...placeOf(cursor),
      limit,
    ]);
    const next = behind(locked, limit);
    if (locked.length === 0) return { deleted: 0, next };
    const empty = await this.database.rows<{ id: string }>(EMPTY, [locked.map(({ id }) => id)]);
    if (empty.length > 0) await this.database.execute(REMOVE_CONVERSATIONS, [empty.map(({ id }) => id)]);
    return { deleted: empty.length, next };
  }
}

/** A cursor is `<time> <id>`; the time itself holds a space. */
function placeOf(cursor: string | null): [at: string, id: string] {
  const text = cursor ?? FIRST;
  const cut = text.lastIndexOf(' ');
  return [text.slice(0, cut), text.slice(cut + 1)];
}

function behind(rows: readonly Position[], limit: number): string | null {
  const last = rows.at(-1);
  return last && rows.length === limit ? `${last.at} ${last.id}` : null;
}
