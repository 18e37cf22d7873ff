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

  add(accountId: string, events: readonly EventText[], traceparent: string | null): Promise<void> {
    const types = events.map(({ type }) => type);
    const texts = events.map(({ text }) => text);
    return this.database.submit(WRITE, [accountId, types, texts, traceparent]);
  }
}
