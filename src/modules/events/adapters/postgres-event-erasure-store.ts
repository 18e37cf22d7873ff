import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import {
  EventErasureStore,
  type StoredBody,
  type WaitingPage,
  type WaitingPlace,
} from '../domain/event-erasure-store.port';
import * as sql from './event-erasure.sql';

/** Bodies in `webhook_outbox` and `webhook_bodies`. */
@Injectable()
export class PostgresEventErasureStore extends EventErasureStore {
  constructor(private readonly database: Database) {
    super();
  }

  async nextEndpoint(accountId: string, after: string | null): Promise<string | null> {
    const [row] = await this.database.rows<{ id: string }>(sql.NEXT_ENDPOINT, [accountId, after]);
    return row?.id ?? null;
  }

  async waiting(
    endpointId: string,
    texts: readonly string[],
    { nextAt, id }: WaitingPlace,
    limit: number,
  ): Promise<WaitingPage> {
    const rows = await this.database.rows<{ last: WaitingPlace | null; id: string | null; text: string }>(
      sql.WAITING_ROWS,
      [endpointId, texts, nextAt, id, limit],
    );
    return {
      found: rows.flatMap((row) => (row.id === null ? [] : [{ id: row.id, text: row.text }])),
      last: rows[0]?.last ?? null,
    };
  }

  async replaceWaiting(rows: readonly StoredBody[]): Promise<void> {
    await this.database.execute(sql.REPLACE_WAITING, columnsOf(rows));
  }

  logged(...range: Parameters<EventErasureStore['logged']>): Promise<StoredBody[]> {
    return this.database.rows<StoredBody>(sql.LOGGED_BODIES, range);
  }

  async replaceLogged(bodies: readonly StoredBody[]): Promise<void> {
    await this.database.execute(sql.REPLACE_LOGGED, columnsOf(bodies));
  }
}

function columnsOf(bodies: readonly StoredBody[]): unknown[] {
  return [bodies.map(({ id }) => id), bodies.map(({ text }) => text)];
}
