import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { Clock } from '../../../kernel/clock';
import type { PlatformEvent } from '../domain/platform-notice';
import { PlatformEvents } from '../domain/platform-events.port';

const STORE = `
INSERT INTO platform_events (id, kind, business_account_id, body, received_at)
SELECT id, kind, business_account, body, $5
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) AS e (id, kind, business_account, body)
ON CONFLICT (id) DO NOTHING
RETURNING id`;

/** Stores events in the table `platform_events`. */
@Injectable()
export class PostgresPlatformEvents extends PlatformEvents {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  async store(events: readonly PlatformEvent[]): Promise<PlatformEvent[]> {
    const byId = new Map(events.map((event) => [event.id, event]));
    const sorted = [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
    const stored = await this.database.rows<{ id: string }>(STORE, [
      sorted.map(({ id }) => id),
      sorted.map(({ kind }) => kind),
      sorted.map(({ businessAccountId }) => businessAccountId),
      // JSON escapes U+0000, so the database accepts every body.
      sorted.map(({ body }) => body),
      this.clock.now(),
    ]);
    return stored.flatMap(({ id }) => byId.get(id) ?? []);
  }
}
