import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { EventErasureStore, type StoredBody, type BodyPage } from '../domain/event-erasure-store.port';
import * as sql from './event-erasure.sql';

/** Bodies in `webhook_outbox` and `webhook_bodies`. */
@Injectable()
export class PostgresEventErasureStore extends EventErasureStore {
  constructor(private readonly database: Database) {
    super();
  }

  async endpoints(accountId: string, after: string | null, limit: number): Promise<string[]> {
    const rows = await this.database.rows<{ id: string }>(sql.ENDPOINTS, [accountId, after, limit]);
    return rows.map(({ id }) => id);
  }

  waiting(...range: Parameters<EventErasureStore['waiting']>): Promise<BodyPage> {
    return this.walk(sql.WAITING, range);
  }

  async replaceWaiting(rows: readonly StoredBody[]): Promise<void> {
    await this.database.execute(sql.REPLACE_WAITING, columnsOf(rows));
  }

  logged(...range: Parameters<EventErasureStore['logged']>): Promise<BodyPage> {
    return this.walk(sql.LOGGED, range);
  }

  async replaceLogged(bodies: readonly StoredBody[]): Promise<void> {
    await this.database.execute(sql.REPLACE_LOGGED, columnsOf(bodies));
  }

  private async walk(statement: string, range: unknown[]): Promise<BodyPage> {
    const rows = await this.database.rows<{ last: string | null; id: string | null; text: string }>(statement, range);
    return {
      found: rows.flatMap(({ id, text }) => (id === null ? [] : [{ id, text }])),
      last: rows[0]?.last ?? null,
    };
  }
}

function columnsOf(bodies: readonly StoredBody[]): unknown[] {
  return [bodies.map(({ id }) => id), bodies.map(({ text }) => text)];
}
