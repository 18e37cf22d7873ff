import { Injectable } from '@nestjs/common';
import { Database } from '../../../infra/database/database';
import { lowestIdAt } from '../../../infra/database/message-partition';
import { prepared } from '../../../infra/database/prepared-statement';
import { StatusStore } from '../domain/status-store.port';
import type { ReportedChange, ReportedMessage } from '../domain/status-update';
import { PRICING, PROBLEM } from './message-columns.sql';
import { TOLD, WRITE_EVENTS } from './message-events.sql';

const COLUMNS = `m.id, account_id AS "accountId", job_id AS "jobId", platform_message_id AS "platformMessageId", status, ${PROBLEM},
  sent_at AS "sentAt", delivered_at AS "deliveredAt", read_at AS "readAt", failed_at AS "failedAt", ${PRICING}`;

const BY_IDS = prepared(`
SELECT ${COLUMNS} FROM unnest($1::uuid[]) AS named (id) JOIN messages m ON m.id = named.id`);

const BY_PLATFORM_IDS = `
SELECT ${COLUMNS} FROM messages m WHERE platform_message_id = ANY($1::text[]) AND id >= $2::uuid`;

const LOCK = prepared(`${BY_IDS} ORDER BY m.id FOR UPDATE OF m`);

const SAVE = prepared(`
WITH saved AS (
UPDATE messages m SET status = r.status, problem = r.problem, problem_message = r.problem_message,
  platform_code = r.platform_code, delivered_at = r.delivered_at, read_at = r.read_at, failed_at = r.failed_at,
  pricing_billable = r.billable, pricing_category = r.category, pricing_type = r.type
FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[],
  $8::timestamptz[], $9::text[], $10::boolean[], $11::text[], $12::text[])
  AS r (id, status, problem, problem_message, platform_code, delivered_at, read_at, failed_at, event_types, billable, category, type)
WHERE m.id = r.id
RETURNING ${TOLD('m')}, string_to_array(r.event_types, ',') AS event_types),
${WRITE_EVENTS}`);

/** Reads and writes the statuses of the table `messages`. */
@Injectable()
export class PostgresStatusStore extends StatusStore {
  constructor(private readonly database: Database) {
    super();
  }

  byIds(ids: readonly string[]): Promise<ReportedMessage[]> {
    return this.database.rows(BY_IDS, [ids]);
  }

  byPlatformIds(platformMessageIds: readonly string[], since: Date): Promise<ReportedMessage[]> {
    // Ids are UUIDv7: a bound on their time limits the search to recent partitions.
    return this.database.rows(BY_PLATFORM_IDS, [platformMessageIds, lowestIdAt(since)]);
  }

  lock(ids: readonly string[]): Promise<ReportedMessage[]> {
    return this.database.rows(LOCK, [ids]);
  }

  async save(changes: readonly ReportedChange[]): Promise<void> {
    const column = <T>(of: (message: ReportedMessage) => T): T[] => changes.map(({ message }) => of(message));
    await this.database.submit(SAVE, [
      column((m) => m.id),
      column((m) => m.status),
      column((m) => m.problem?.code ?? null),
      column((m) => m.problem?.message ?? null),
      column((m) => m.problem?.platformCode ?? null),
      column((m) => m.deliveredAt),
      column((m) => m.readAt),
      column((m) => m.failedAt),
      changes.map(({ events }) => events.join(',')),
      column((m) => m.pricing?.billable ?? null),
      column((m) => m.pricing?.category ?? null),
      column((m) => m.pricing?.type ?? null),
    ]);
  }
}
