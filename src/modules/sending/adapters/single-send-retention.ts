import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { MessageRetention } from '../../messages/domain/message-retention';
import type { ExpiredMessage, RetentionHold } from '../../messages/domain/retention';

const KNOWN = `SELECT message_id FROM single_sends WHERE message_id = ANY($1::uuid[])`;
const SETTLED = `
SELECT message_id FROM single_sends
WHERE message_id = ANY($1::uuid[]) AND outcome IS NOT NULL AND unknown_since IS NULL FOR UPDATE SKIP LOCKED`;
const RELEASE = `DELETE FROM single_sends WHERE message_id = ANY($1::uuid[])`;

interface Row {
  message_id: string;
}

/** Keeps messages of single sends whose outcome is open or being written; deletes the sends of the others. */
@Injectable()
export class SingleSendRetention implements RetentionHold, OnApplicationBootstrap {
  constructor(
    private readonly retention: MessageRetention,
    private readonly database: Database,
  ) {}

  onApplicationBootstrap(): void {
    this.retention.addHold(this);
  }

  async unsettled(messages: readonly ExpiredMessage[]): Promise<string[]> {
    const ids = messages.filter(({ jobId, isInbound }) => jobId === null && !isInbound).map(({ id }) => id);
    if (ids.length === 0) return [];
    const settled = new Set((await this.database.rows<Row>(SETTLED, [ids])).map((row) => row.message_id));
    const known = await this.database.rows<Row>(KNOWN, [ids]);
    return known.map((row) => row.message_id).filter((id) => !settled.has(id));
  }

  async release(messageIds: readonly string[]): Promise<void> {
    await this.database.execute(RELEASE, [messageIds]);
  }
}
