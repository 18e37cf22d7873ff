import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import type { KeptMessage, MessageGist } from '../domain/kept-message';
import {
  MessageArchive,
  type MessageFilter,
  type MessageStretch,
  type PlacedMessage,
} from '../domain/message-archive.port';
import type { Place } from '../domain/place';
import { KEEP_INDEX_ORDER } from './index-order.sql';
import {
  GIST_COLUMNS,
  gistOf,
  keptMessageOf,
  type KeptMessageRow,
  MESSAGE_COLUMNS,
  type MessageGistRow,
  placeTime,
} from './kept-message-rows';

/** Rows that a further step looks through, and how many of these one call takes. */
const ROWS_AT_ONCE = 1000;
const MOST_STEPS = 5;

interface ScannedRow extends Place {
  own: boolean;
  matches: boolean | null;
}

/** How far a list is read: what was found, and the last row that was looked at. */
interface Reading {
  found: Place[];
  from: Place | undefined;
  isAtEnd: boolean;
}

/** Which way the list goes: what follows a place, and in which order. */
interface Course {
  follows: '<' | '>';
  order: 'ASC' | 'DESC';
}

const NEWEST_FIRST: Course = { follows: '<', order: 'DESC' };
const OLDEST_FIRST: Course = { follows: '>', order: 'ASC' };

/**
 * Reads the table `messages` along one of its indexes, in steps of so many rows: first only where the messages are, which
 * most of the indexes know by themselves, then those that were found by their ids.
 */
@Injectable()
export class TypeOrmMessageArchive extends MessageArchive {
  constructor(private readonly database: Database) {
    super();
  }

  newest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageStretch> {
    return this.list(accountId, filter, limit, NEWEST_FIRST);
  }

  oldest(accountId: string, filter: MessageFilter, limit: number): Promise<MessageStretch> {
    return this.list(accountId, filter, limit, OLDEST_FIRST);
  }

  async find(accountId: string, messageId: string): Promise<PlacedMessage | null> {
    const [row] = await this.rowsById<KeptMessageRow>(accountId, [messageId], MESSAGE_COLUMNS);
    return row ? { message: keptMessageOf(row), place: { at: row.at, id: row.id } } : null;
  }

  async gists(accountId: string, messageIds: readonly string[]): Promise<MessageGist[]> {
    const rows = await this.rowsById<MessageGistRow>(accountId, messageIds, GIST_COLUMNS);
    return rows.map(gistOf);
  }

  async noteReadReceipt(messageId: string, at: Date): Promise<void> {
    await this.database.execute(`UPDATE messages SET read_at = $2 WHERE id = $1 AND direction = 'Inbound'`, [
      messageId,
      at,
    ]);
  }

  private async list(accountId: string, filter: MessageFilter, limit: number, course: Course): Promise<MessageStretch> {
    // Mostly everything matches, and then one small step is enough.
    let reading = await this.step(accountId, filter, course, { found: [], from: undefined, isAtEnd: false }, limit + 1);
    if (!reading.isAtEnd && reading.found.length <= limit) {
      reading = await this.database.transaction(async () => {
        await this.database.execute(KEEP_INDEX_ORDER);
        let further = reading;
        for (let step = 0; step < MOST_STEPS && !further.isAtEnd && further.found.length <= limit; step++) {
          further = await this.step(accountId, filter, course, further, ROWS_AT_ONCE);
        }
        return further;
      });
    }
    const { found, from, isAtEnd } = reading;
    const chosen = found.slice(0, limit);
    const messages = await this.inOrder(accountId, chosen);
    if (found.length > limit) return { messages, next: chosen.at(-1) ?? null };
    return { messages, next: isAtEnd ? null : (from ?? null) };
  }

  private async step(
    accountId: string,
    filter: MessageFilter,
    course: Course,
    { found, from }: Reading,
    size: number,
  ): Promise<Reading> {
    const rows = await this.scan(accountId, filter, course, from, size);
    // A job belongs to one account: of another account's one nobody learns even that it is there.
    const own = rows.filter((row) => row.own);
    const last = rows.at(-1);
    return {
      found: [...found, ...own.filter(({ matches }) => matches).map(({ at, id }) => ({ at, id }))],
      from: last && { at: last.at, id: last.id },
      isAtEnd: rows.length < size || own.length < rows.length,
    };
  }

  private scan(
    accountId: string,
    filter: MessageFilter,
    { follows, order }: Course,
    from: Place | undefined,
    size: number,
  ): Promise<ScannedRow[]> {
    const parameters: unknown[] = [accountId, size];
    const value = (one: unknown): string => `$${parameters.push(one)}`;
    const place = ({ at, id }: Place): string => `(${value(at)}::timestamptz, ${value(id)}::uuid)`;
    const stretch = [
      indexed(filter, value),
      filter.later ? `(created_at, id) > ${place(filter.later)}` : null,
      filter.earlier ? `(created_at, id) < ${place(filter.earlier)}` : null,
      from ? `(created_at, id) ${follows} ${place(from)}` : null,
    ].filter((condition) => condition !== null);
    // The index knows nothing of these: they are told of each row, so that it is known how far a step came.
    const matches = [
      'conversation_id IS NOT NULL',
      filter.conversationId === undefined ? null : `conversation_id = ${value(filter.conversationId)}`,
      filter.reference === undefined ? null : `reference = ${value(filter.reference)}`,
      filter.jobId === undefined ? null : `job_id = ${value(filter.jobId)}`,
      filter.status === undefined ? null : `status = ${value(filter.status)}`,
      filter.direction === undefined ? null : `direction = ${value(filter.direction)}`,
    ].filter((condition) => condition !== null);
    return this.database.rows<ScannedRow>(
      `SELECT id, ${placeTime('created_at')} AS at, account_id = $1 AS own, ${matches.join(' AND ')} AS matches
       FROM messages WHERE ${stretch.join(' AND ')}
       ORDER BY created_at ${order}, id ${order} LIMIT $2::int`,
      parameters,
    );
  }

  private async inOrder(accountId: string, places: readonly Place[]): Promise<KeptMessage[]> {
    const ids = places.map(({ id }) => id);
    const rows = await this.rowsById<KeptMessageRow>(accountId, ids, MESSAGE_COLUMNS);
    const found = new Map(rows.map((row) => [row.id, keptMessageOf(row)]));
    return ids.map((id) => found.get(id)).filter((message) => message !== undefined);
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

/** The condition of the index that holds the fewest rows of what is wanted. */
function indexed(filter: MessageFilter, value: (one: unknown) => string): string {
  if (filter.conversationId !== undefined) return `conversation_id = ${value(filter.conversationId)}`;
  if (filter.reference !== undefined) return `account_id = $1 AND reference = ${value(filter.reference)}`;
  if (filter.jobId !== undefined) return `job_id = ${value(filter.jobId)}`;
  return 'account_id = $1';
}
