import { Injectable } from '@nestjs/common';
import { actingKey } from '../../../infra/database/acting-key.sql';
import { Database } from '../../../infra/database/database';
import type {
  ErasedMessage,
  ErasedMessages,
  MessagePreview,
  MessageRange,
  PositionedMessage,
  StoredMessage,
} from '../domain/stored-message';
import { MessageArchive, type MessageFilter, type MessageOrigin } from '../domain/message-archive.port';
import type { TimeCursor } from '../../../kernel/time-cursor';
import { cursorTime, KEEP_INDEX_ORDER } from '../../../infra/database/keyset-lists.sql';
import { prepared } from '../../../infra/database/prepared-statement';
import { lowestUuidAt } from '../../../kernel/uuid';
import { MESSAGE_COLUMNS, PREVIEW_COLUMNS } from './message-columns.sql';

const IDS_OF = 'SELECT id FROM messages WHERE conversation_id = $1 ORDER BY created_at, id';

const CHOOSE = `
SELECT id FROM messages WHERE conversation_id = $1 AND ($3::uuid IS NULL OR id < $3) ORDER BY created_at, id LIMIT $2::int`;

/** Locks in the same order as every other statement. */
const LOCK = `SELECT id FROM messages WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`;

/** Rechecks the conversation: an erasure or another join may have moved a message while its lock was awaited. */
const LOCK_SOME = `
SELECT id FROM messages WHERE conversation_id = $1 AND account_id = $2 ORDER BY id LIMIT $3::int FOR UPDATE`;

/** Recipient rows must stay small, so the origin is in the job's row. $1 messages, $2 their jobs. */
const ORIGINS = `
SELECT m.id, ${actingKey('s.key_id')} AS "sentBy", s.request_id AS "requestId", s.traceparent
FROM unnest($1::uuid[], $2::uuid[]) AS m (id, job_id) CROSS JOIN LATERAL (
  SELECT created_by AS key_id, request_id, traceparent FROM single_sends WHERE message_id = m.id
  UNION ALL SELECT created_by, request_id, traceparent FROM bulk_jobs WHERE id = m.job_id) s`;

/** The platform's id is erased too: it contains the phone number. */
const ERASE = `
UPDATE messages SET conversation_id = NULL, contact_phone = NULL, contact_user_id = NULL, parameters = NULL, content = NULL,
  platform_message_id = NULL, reference = NULL
WHERE id = ANY($1::uuid[]) AND account_id = $2
RETURNING id, direction`;

/** The time in an id is at most this much later than `created_at`: ids are made before sending, or from the platform's time of receipt. */
const ID_AHEAD_MS = 86_400_000;
/** Messages that the platform reported without a usable time have ids without one. */
const FIRST_TIMED_ID = lowestUuidAt(new Date(1));
/**
 * The 31 days before $2, at most now, and a lower bound of the times in the ids of all their messages of the account $1. Ids are made up to a
 * day before the message is recorded; those of a job, when it is created. Without OFFSET 0, min() walks through all jobs by time.
 */
const WINDOW = prepared(`
SELECT ${cursorTime('since')} AS since, LEAST(since, (
  SELECT min(long.created_at) FROM (
    SELECT j.created_at FROM bulk_jobs j
    WHERE j.account_id = $1 AND (j.completed_at IS NULL OR j.completed_at - j.created_at > interval '1 day')
      AND COALESCE(j.completed_at, 'infinity') >= since - interval '2 days' OFFSET 0) long)) - interval '2 days' AS "idsFrom"
FROM (SELECT LEAST($2::timestamptz, now()) - interval '31 days' AS since) w`);

/** Rows per further step, and further steps per call. */
const ROWS_PER_STEP = 1000;
const MAX_STEPS = 5;

interface ScannedRow extends TimeCursor {
  own: boolean;
  matches: boolean | null;
}

/** A recent part of the history of an account, which is in few partitions. */
interface Window {
  since: string;
  idsFrom: Date;
}

/** The matches so far, and the last row read; `window`: only this part is read. */
interface Reading {
  found: TimeCursor[];
  from: TimeCursor | undefined;
  window: Window | null;
  isAtEnd: boolean;
}

/** The direction of a list: comparison with a position, and sort order. */
interface ListOrder {
  follows: '<' | '>';
  order: 'ASC' | 'DESC';
}

const BY_ACCOUNT = 'account_id = $1';
const NEWEST_FIRST: ListOrder = { follows: '<', order: 'DESC' };
const OLDEST_FIRST: ListOrder = { follows: '>', order: 'ASC' };

/**
 * Scans `messages` along an index in steps: first only the positions of matching rows, which most indexes cover, then
 * those rows by id.
 */
@Injectable()
export class PostgresMessageArchive extends MessageArchive {
  constructor(private readonly database: Database) {
    super();
  }

  newest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageRange> {
    return this.list(accountId, filter, limit, NEWEST_FIRST);
  }

  oldest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageRange> {
    return this.list(accountId, filter, limit, OLDEST_FIRST);
  }

  async idsOf(conversationId: string): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(IDS_OF, [conversationId]);
    return rows.map(({ id }) => id);
  }

  async inOrder(accountId: string, messageIds: readonly string[]): Promise<StoredMessage[]> {
    const rows = await this.rowsById<StoredMessage>(accountId, messageIds, MESSAGE_COLUMNS);
    const found = new Map(rows.map((message) => [message.id, message]));
    return messageIds.map((id) => found.get(id)).filter((message) => message !== undefined);
  }

  async find(accountId: string, messageId: string): Promise<PositionedMessage | null> {
    const columns = `${MESSAGE_COLUMNS}, ${cursorTime('created_at')} AS at`;
    const [row] = await this.rowsById<StoredMessage & Pick<TimeCursor, 'at'>>(accountId, [messageId], columns);
    if (!row) return null;
    const { at, ...message } = row;
    return { message, position: { at, id: message.id } };
  }

  async origins(messages: readonly StoredMessage[]): Promise<Map<string, MessageOrigin>> {
    const sent = messages.filter(({ direction }) => direction === 'Outbound');
    if (sent.length === 0) return new Map();
    const rows = await this.database.rows<MessageOrigin & { id: string }>(ORIGINS, [
      sent.map(({ id }) => id),
      sent.map(({ jobId }) => jobId),
    ]);
    return new Map(rows.map(({ id, ...origin }) => [id, origin]));
  }

  previews(accountId: string, messageIds: readonly string[]): Promise<MessagePreview[]> {
    return this.rowsById<MessagePreview>(accountId, messageIds, PREVIEW_COLUMNS);
  }

  async setReadReceipt(messageId: string, at: Date): Promise<void> {
    await this.database.execute(`UPDATE messages SET read_at = $2 WHERE id = $1 AND direction = 'Inbound'`, [
      messageId,
      at,
    ]);
  }

  async lock(accountId: string, conversationId: string, limit: number): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(LOCK_SOME, [conversationId, accountId, limit]);
    return rows.map(({ id }) => id);
  }

  async move(messageIds: readonly string[], conversationId: string): Promise<void> {
    await this.database.execute('UPDATE messages SET conversation_id = $2 WHERE id = ANY($1::uuid[])', [
      messageIds,
      conversationId,
    ]);
  }

  async erase(
    accountId: string,
    conversationId: string,
    createdBefore: Date | null,
    limit: number,
  ): Promise<ErasedMessages> {
    const bound = createdBefore && lowestUuidAt(createdBefore);
    const chosen = await this.database.rows<{ id: string }>(CHOOSE, [conversationId, limit, bound]);
    if (chosen.length === 0) return { erased: [], isAll: true };
    const ids = chosen.map(({ id }) => id);
    await this.database.execute(LOCK, [ids]);
    const erased = await this.database.rows<ErasedMessage>(ERASE, [ids, accountId]);
    // Some of the chosen rows may have expired meanwhile.
    return { erased, isAll: chosen.length < limit };
  }

  private async list(
    accountId: string,
    filter: MessageFilter,
    limit: number,
    listOrder: ListOrder,
  ): Promise<MessageRange> {
    const window = await this.window(accountId, filter, listOrder);
    // Usually every row matches, and one small step is enough.
    const start = { found: [], from: undefined, window, isAtEnd: false };
    let reading = await this.step(accountId, filter, listOrder, start, limit + 1);
    if (window && !reading.window && !reading.isAtEnd)
      reading = await this.step(accountId, filter, listOrder, reading, limit + 1);
    if (!reading.isAtEnd && reading.found.length <= limit) {
      reading = await this.database.transaction(async () => {
        await this.database.execute(KEEP_INDEX_ORDER);
        let further = reading;
        for (let step = 0; step < MAX_STEPS && !further.isAtEnd && further.found.length <= limit; step++) {
          further = await this.step(accountId, filter, listOrder, further, ROWS_PER_STEP);
        }
        return further;
      });
    }
    const { found, from, isAtEnd } = reading;
    const chosen = found.slice(0, limit);
    const messages = await this.inOrder(
      accountId,
      chosen.map(({ id }) => id),
    );
    if (found.length > limit) return { messages, next: chosen.at(-1) ?? null };
    return { messages, next: isAtEnd ? null : (from ?? null) };
  }

  /** Null for lists of which a month usually has less than a page. */
  private async window(accountId: string, filter: MessageFilter, { order }: ListOrder): Promise<Window | null> {
    if (order === 'ASC' || indexed(filter, () => '') !== BY_ACCOUNT) return null;
    const [window] = await this.database.rows<Window>(WINDOW, [accountId, filter.before?.at ?? null]);
    return window ?? null;
  }

  private async step(
    accountId: string,
    filter: MessageFilter,
    listOrder: ListOrder,
    { found, from, window }: Reading,
    size: number,
  ): Promise<Reading> {
    const rows = await this.scan(accountId, filter, listOrder, from, window, size);
    // A job belongs to one account: a job of another account must not be revealed, not even its existence.
    const own = rows.filter((row) => row.own);
    const last = rows.at(-1);
    const isWholeRange = window === null || (filter.after !== undefined && filter.after.at >= window.since);
    const isReadToEnd = rows.length < size;
    return {
      found: [...found, ...own.filter(({ matches }) => matches).map(({ at, id }) => ({ at, id }))],
      from: last ? { at: last.at, id: last.id } : from,
      window: isReadToEnd ? null : window,
      isAtEnd: (isReadToEnd && isWholeRange) || own.length < rows.length,
    };
  }

  private scan(
    accountId: string,
    filter: MessageFilter,
    { follows, order }: ListOrder,
    from: TimeCursor | undefined,
    window: Window | null,
    size: number,
  ): Promise<ScannedRow[]> {
    const parameters: unknown[] = [accountId, size];
    const value = (one: unknown): string => `$${parameters.push(one)}`;
    const position = ({ at, id }: TimeCursor): string => `(${value(at)}::timestamptz, ${value(id)}::uuid)`;
    const last = follows === '<' ? (from ?? filter.before) : filter.before;
    const range = [
      indexed(filter, value),
      // Excludes the partitions of later months. Earlier ones may contain messages of scheduled jobs.
      last ? `id < ${value(lowestUuidAt(new Date(Date.parse(last.at) + ID_AHEAD_MS)))}::uuid` : null,
      window
        ? `(id >= ${value(lowestUuidAt(window.idsFrom))}::uuid OR id < '${FIRST_TIMED_ID}') AND created_at >= ${value(window.since)}::timestamptz`
        : null,
      filter.after ? `(created_at, id) > ${position(filter.after)}` : null,
      filter.before ? `(created_at, id) < ${position(filter.before)}` : null,
      from ? `(created_at, id) ${follows} ${position(from)}` : null,
    ].filter((condition) => condition !== null);
    // The index does not cover these conditions: they are evaluated as a column, so that a step returns the last row
    // scanned.
    const matches = [
      'conversation_id IS NOT NULL',
      filter.conversationId === undefined ? null : `conversation_id = ${value(filter.conversationId)}`,
      filter.platformMessageId === undefined ? null : `platform_message_id = ${value(filter.platformMessageId)}`,
      filter.reference === undefined ? null : `reference = ${value(filter.reference)}`,
      filter.jobId === undefined ? null : `job_id = ${value(filter.jobId)}`,
      filter.status === undefined ? null : `status = ${value(filter.status)}`,
      filter.errorCode === undefined ? null : `problem = ${value(filter.errorCode)}`,
      filter.direction === undefined ? null : `direction = ${value(filter.direction)}`,
    ].filter((condition) => condition !== null);
    return this.database.rows<ScannedRow>(
      `SELECT id, ${cursorTime('created_at')} AS at, account_id = $1 AS own, ${matches.join(' AND ')} AS matches
       FROM messages WHERE ${range.join(' AND ')}
       ORDER BY created_at ${order}, id ${order} LIMIT $2::int`,
      parameters,
    );
  }

  private rowsById<Row>(accountId: string, messageIds: readonly string[], columns: string): Promise<Row[]> {
    if (messageIds.length === 0) return Promise.resolve([]);
    return this.database.rows<Row>(
      `SELECT ${columns} FROM messages
       WHERE id = ANY($1::uuid[]) AND account_id = $2 AND conversation_id IS NOT NULL`,
      [messageIds, accountId],
    );
  }
}

/** The condition for the most selective index. */
function indexed(filter: MessageFilter, value: (one: unknown) => string): string {
  if (filter.platformMessageId !== undefined) return `platform_message_id = ${value(filter.platformMessageId)}`;
  if (filter.conversationId !== undefined) return `conversation_id = ${value(filter.conversationId)}`;
  if (filter.reference !== undefined) return `account_id = $1 AND reference = ${value(filter.reference)}`;
  if (filter.jobId !== undefined) return `job_id = ${value(filter.jobId)}`;
  return BY_ACCOUNT;
}
