import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { EventOutboxStore, type EventText } from '../domain/event-outbox.port';
import { WRITE } from './webhooks.sql';

/** Writes the table `webhook_outbox`. */
@Injectable()
export class PostgresEventOutbox extends EventOutboxStore {
  constructor(private readonly database: Database) {
    super();
  }

  add(accountId: string, events: readonly EventText[]): Promise<void> {
    return this.database.submit(WRITE, [accountId, events.map(({ type }) => type), events.map(({ text }) => text)]);
  }
}
