import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { EventOutboxStore, type OutgoingBodies, type Subscription } from '../domain/event-outbox.port';
import * as sql from './webhooks.sql';

/** Writes the table `webhook_outbox`. */
@Injectable()
export class PostgresEventOutbox extends EventOutboxStore {
  constructor(private readonly database: Database) {
    super();
  }

  subscriptions(accountIds: readonly string[]): Promise<Subscription[]> {
    return this.database.rows(sql.SUBSCRIPTIONS, [accountIds]);
  }

  async add(outgoing: readonly OutgoingBodies[]): Promise<void> {
    await this.database.execute(sql.ADD, [
      outgoing.map(({ endpointId }) => endpointId),
      outgoing.map(({ bodies }) => bodies.length),
      outgoing.map(({ bodies }) => bodies.join('\n')),
    ]);
  }
}
